/** Events and notes in one list, the newest first, with the turns and beats that begin in it. */

import type { BeatCard, Event, Note, Thought } from "../lib/types";

/** One list, not groups within groups: a line keeps what is open in it when its beat becomes known. */
export interface Line {
  id: string;
  /** What happened; null for a note. */
  event: Event | null;
  note: string;
  /** The seat whose bot thought what is noted. */
  thinks: string;
  /** Its turn, on the first line of each; null until its beat is known. */
  heading?: number | null;
  /** Its beat, on the first line of each. */
  beat?: BeatCard;
  /** No line of its beat says what the beat is about. */
  lone?: boolean;
}

export function gathered(events: Event[], beats: BeatCard[], notes: Note[], most: number, reasons: Thought[] = []): Line[] {
  const lines: Line[] = [];
  let place = beats.length;
  let before: { turn: number | null; first: Line } | null = null;
  for (const { after, ...line } of newest(events, notes, reasons).slice(0, most)) {
    // A beat holds what came after the beat before it, up to and with its own number.
    while (place > 0 && after <= (beats[place - 1]?.to ?? 0)) place--;
    const beat = beats[place];
    const turn = beat?.turn ?? null;
    const shown: Line = { ...line };
    if (!before || before.turn !== turn) shown.heading = turn;
    if (!before || before.first.beat !== beat) {
      if (beat) Object.assign(shown, { beat, lone: true });
      before = { turn, first: shown };
    }
    if (beat && line.event?.n === beat.event) before.first.lone = false;
    lines.push(shown);
  }
  return lines;
}

function newest(events: Event[], notes: Note[], reasons: Thought[]): (Pick<Line, "id" | "event" | "note" | "thinks"> & { after: number })[] {
  const lines = events.map((event) => ({ after: event.after, id: `e${event.n}`, event: event as Event | null, note: "", thinks: "" }));
  const noted = notes.map((note, index) => ({ after: note.after, id: `n${index}`, event: null, note: note.words, thinks: "" }));
  const thought = reasons.map(({ after, seat, words }) => ({ after, id: `r${after}`, event: null, note: words, thinks: seat }));
  return [...lines, ...noted, ...thought].sort((a, b) => a.after - b.after).reverse();
}
