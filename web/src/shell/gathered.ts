/** Events and notes gathered into beats and turns, the newest first. */

import type { Beat, Event, Note } from "../lib/types";

interface Line {
  id: string;
  event: Event | null;
  note: string;
}

interface BeatLines {
  id: string;
  /** Null for what came after the last beat that is known. */
  beat: Beat | null;
  lines: Line[];
}

interface TurnLines {
  turn: number | null;
  beats: BeatLines[];
}

export function gathered(events: Event[], beats: Beat[], notes: Note[], most: number): TurnLines[] {
  const turns: TurnLines[] = [];
  let place = beats.length;
  for (const { after, line } of newest(events, notes).slice(0, most)) {
    // A beat holds what came after the beat before it, up to and with its own number.
    while (place > 0 && after <= (beats[place - 1]?.to ?? 0)) place--;
    const beat = beats[place] ?? null;
    const turn = beat?.turn ?? null;
    let group = turns.at(-1);
    if (!group || group.turn !== turn) turns.push((group = { turn, beats: [] }));
    const id = beat ? String(beat.to) : "now";
    let held = group.beats.at(-1);
    if (!held || held.id !== id) group.beats.push((held = { id, beat, lines: [] }));
    held.lines.push(line);
  }
  return turns;
}

function newest(events: Event[], notes: Note[]): { after: number; line: Line }[] {
  const lines = events.map((event) => ({
    after: event.after,
    line: { id: `e${event.n}`, event: event as Event | null, note: "" },
  }));
  const noted = notes.map((note, index) => ({
    after: note.after,
    line: { id: `n${index}`, event: null as Event | null, note: note.words },
  }));
  return [...lines, ...noted].sort((a, b) => a.after - b.after).reverse();
}
