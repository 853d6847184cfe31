/** Keys that work anywhere on the table page. The board has its own, for moving over the table. */

import type { Table } from "../lib/table.svelte";
import type { Desk } from "./desk.svelte";
import { wishes } from "./prefs.svelte";
import type { Replay } from "./replay.svelte";

export function pressed(event: KeyboardEvent, table: Table, desk: Desk, replay: Replay): void {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
  // The dialog itself knows best: it is shut a moment before the desk hears of it.
  if (document.querySelector("dialog[open]")) return;
  const { target } = event;
  const field = target instanceof HTMLElement && target.closest("input, select, textarea");
  const control = target instanceof HTMLElement && target.closest("button, a, summary");
  if (table.stage.busy && !field && staged(event, table)) {
    event.preventDefault();
    return;
  }
  if (event.key === "Enter") {
    if (!leaves(table, control || null) && !(field && field.getAttribute("type") === "search") && enter(table, desk)) event.preventDefault();
    return;
  }
  if (event.key === "Escape") {
    if (!table.stepBack()) {
      if (!desk.sheet) return;
      desk.sheet = null;
    }
    event.preventDefault();
    return;
  }
  if (field) return;
  if (act(event, desk, replay)) event.preventDefault();
}

/** While something is shown: Space holds it, Enter ends a beat, S and Escape go to how things stand. */
function staged({ key }: KeyboardEvent, { stage }: Table): boolean {
  if (key === " ") stage.hold(!stage.held);
  else if (key === "Enter") stage.next();
  else if (key === "Escape" || key.toLowerCase() === "s") stage.skip();
  else return false;
  return true;
}

/**
 * Whether Enter is left to the control that has the focus. What is planned goes before: Enter confirms it wherever the
 * focus was, and Space presses the control. Only a choice that the keyboard has come to, and that is not yet taken, is
 * chosen first.
 */
function leaves(table: Table, control: Element | null): boolean {
  if (!control || control.matches("[data-confirm]")) return false;
  if (table.answer === undefined || table.draft === undefined) return true;
  return control.matches('.question .form :focus-visible:not([aria-pressed="true"])');
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
  void table.check();
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
    b: () => (desk.window = "briefing"),
    u: () => void desk.ask(event.shiftKey ? "redo" : "undo", {}),
    s: () => (desk.skipping = !desk.skipping),
    ",": () => replay.step(-1),
    ".": () => replay.step(1),
    p: () => replay.toggle(),
    n: () => replay.now(),
    l: () => desk.turnTo("log"),
    w: () => desk.turnTo("why"),
    r: () => desk.turnTo("rules"),
    t: () => wishes.fold("time", !wishes.folded.time),
  };
  const deed = deeds[key];
  deed?.();
  return deed !== undefined;
}
