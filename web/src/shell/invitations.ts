/** The keys of seats that wait for somebody: whoever made a game may send them. */

const PLACE = "sandtable.invitations";

type Kept = Record<string, Record<string, string>>;

function stored(): Kept {
  try {
    const value: unknown = JSON.parse(localStorage.getItem(PLACE) ?? "{}");
    return value && typeof value === "object" ? (value as Kept) : {};
  } catch {
    // Storage may be forbidden or hold something foreign: then there is nothing to send.
    return {};
  }
}

export function invitations(game: string): Record<string, string> {
  return stored()[game] ?? {};
}

export function keepInvitations(game: string, keys: Record<string, string>): void {
  try {
    localStorage.setItem(PLACE, JSON.stringify({ ...stored(), [game]: keys }));
  } catch {
    // Without storage they are shown once, when the game is made.
  }
}
