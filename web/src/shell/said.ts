/** The one sentence of the question bar: who must do what now. */

import type { Result } from "../lib/types";
import type { Table } from "../lib/table.svelte";
import { capital, sided } from "./words";

export function said(table: Table): string {
  const { live, moment, question } = table;
  const { state, about } = live;
  if (live.connection === "closed") return live.reason;
  if (!state || !about) return live.connection === "lost" ? "The server does not answer. It is being sought." : "The table is being laid.";
  if (moment) return `The past: turn ${moment.turn}.`;
  if (table.stage.busy) return "What happened is being shown.";
  if (state.result) return ending(state.result, table.words(state.result.reason));
  if (question) return capital(table.words(question.words));
  const seat = state.asked?.seat ?? state.thinking;
  if (!seat) return "Nobody is asked anything now.";
  if (state.asked && "held" in state.asked) return "has nothing to choose; it is answered in a moment, so that nobody can tell.";
  const holder = state.seats[seat] ?? "";
  if (state.thinking === seat || holder.startsWith("bot:")) return "is thinking.";
  if (holder === "open") return "has no player yet. Send somebody the link.";
  if (!state.present[seat]) return "must choose, and is not here now.";
  return "must choose.";
}

/** Who has won, by how much, why, and with how many points. */
export function ending(result: Result, reason: string): string {
  const degree = result.degree ? `: ${result.degree}` : "";
  const won = result.winner === null ? `The battle is drawn${degree}.` : `${capital(result.winner)} has won${degree}.`;
  const why = reason ? ` ${capital(sided(reason))}${/[.!?]$/.test(reason) ? "" : "."}` : "";
  const points = Object.entries(result.points ?? {}).map(([side, count]) => `${capital(side)} ${count}`);
  return won + why + (points.length ? ` ${capital(result.points_for ?? "points")}: ${points.join(", ")}.` : "");
}
