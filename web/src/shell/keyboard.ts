/** Keys that work anywhere on the table page. The board has its own, for moving over the table. */

import type { Table } from "../lib/table.svelte";
import type { Desk } from "./desk.svelte";
import type { Replay } from "./replay.svelte";

export function pressed(event: KeyboardEvent, table: Table, desk: Desk, replay: Replay): void {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
  // The dialog itself knows best: it is shut a moment before the desk hears of it.
  if (document.querySelector("dialog[open]")) return;
  const { target } = event;
  const field = target instanceof HTMLElement && target.closest("input, select, textarea");
  const control = target instanceof HTMLElement && target.closest("button, a, summary");
  if (event.key === "Enter") {
    // A control that has the focus hears Enter itself; but a proposal that is taken already is confirmed.
    const taken = control && control.matches('.proposals [aria-pressed="true"]');
    if ((!control || taken) && !(field && field.getAttribute("type") === "search") && enter(table, desk)) event.preventDefault();
    return;
  }
  if (event.key === "Escape") {
    if (table.draft !== undefined) table.clear();
    else if (desk.sheet) desk.sheet = null;
    else return;
    event.preventDefault();
    return;
  }
  if (field) return;
  if (act(event, desk, replay)) event.preventDefault();
}

/** Confirm what is drafted; if nothing is, propose the default first. True when there was something to do. */
function enter(table: Table, desk: Desk): boolean {
  if (desk.hotseat.looking) {
    desk.hotseat.handOver();
    return true;
  }
  const { question } = table;
  if (!question) return false;
  if (table.answer !== undefined) {
    void table.confirm();
    return true;
  }
  const [first] = question.form === "dice" ? [] : question.candidates;
  if (first === undefined) return false;
  table.setDraft(first);
  table.check();
  desk.sheet = "question";
  return true;
}

function act(event: KeyboardEvent, desk: Desk, replay: Replay): boolean {
  const key = event.key.toLowerCase();
  if (/^[1-9]$/.test(key)) {
    document.querySelector<HTMLButtonElement>(`.question [data-choice="${key}"]:not(:disabled)`)?.click();
    return true;
  }
  const deeds: Record<string, () => void> = {
    "?": () => (desk.window = "keys"),
    u: () => void desk.ask(event.shiftKey ? "redo" : "undo", {}),
    s: () => (desk.skipping = !desk.skipping),
    ",": () => replay.step(-1),
    ".": () => replay.step(1),
    p: () => replay.toggle(),
    n: () => replay.now(),
    l: () => (desk.panel = "log"),
    w: () => (desk.panel = "why"),
    r: () => (desk.panel = "rules"),
  };
  const deed = deeds[key];
  deed?.();
  return deed !== undefined;
}
