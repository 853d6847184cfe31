/** The one sentence of the question bar: who must do what now. */

import type { Table } from "../lib/table.svelte";
import { capital } from "./words";

export function said(table: Table): string {
  const { live, moment, question } = table;
  const { state, about } = live;
  if (live.connection === "closed") return live.reason;
  if (!state || !about) return live.connection === "lost" ? "The server does not answer. It is being sought." : "The table is being laid.";
  if (moment) return `The past: turn ${moment.turn}.`;
  if (state.result) return ending(state.result.winner, table.words(state.result.reason));
  if (question) return capital(table.words(question.words));
  const seat = state.asked?.seat ?? state.thinking;
  if (!seat) return "Nobody is asked anything now.";
  const holder = about.seats[seat] ?? "";
  if (state.thinking === seat || holder.startsWith("bot:")) return "is thinking.";
  if (holder === "open") return "has no player yet. Send somebody the link.";
  if (!state.present[seat]) return "must choose, and is not here now.";
  return "must choose.";
}

function ending(winner: string | null, reason: string): string {
  const won = winner === null ? "The battle is drawn." : `${capital(winner)} has won.`;
  return reason ? `${won} ${capital(reason)}${/[.!?]$/.test(reason) ? "" : "."}` : won;
}
