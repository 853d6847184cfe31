/** The keys of seats: they live in the fragment of an address and in this browser, never in a path or a query. */

const PLACE = "sandtable.keys";

function stored(): Record<string, string> {
  try {
    const value: unknown = JSON.parse(localStorage.getItem(PLACE) ?? "{}");
    return value && typeof value === "object" ? (value as Record<string, string>) : {};
  } catch {
    // Storage may be forbidden or hold something foreign: then the address alone carries the key.
    return {};
  }
}

export function keyOf(game: string): string | null {
  return stored()[game] ?? null;
}

/** Every game of which this browser holds a key. */
export function keptGames(): string[] {
  return Object.keys(stored());
}

export function keepKey(game: string, key: string): void {
  try {
    localStorage.setItem(PLACE, JSON.stringify({ ...stored(), [game]: key }));
  } catch {
    // Without storage the key lasts as long as the address does.
  }
}

export function forgetKey(game: string): void {
  const keys = stored();
  delete keys[game];
  try {
    localStorage.setItem(PLACE, JSON.stringify(keys));
  } catch {
    // Nothing was kept.
  }
}

const SEATS = "sandtable.seats";

function storedSeats(): Record<string, string[]> {
  try {
    const value: unknown = JSON.parse(localStorage.getItem(SEATS) ?? "{}");
    return value && typeof value === "object" ? (value as Record<string, string[]>) : {};
  } catch {
    // Then the lobby does not say whose move it is.
    return {};
  }
}

/** The seats of a game that this browser's key opens, as far as it has learnt them. */
export function mySeats(game: string): string[] {
  return storedSeats()[game] ?? [];
}

export function keepSeats(game: string, seats: string[]): void {
  const known = storedSeats();
  if (known[game]?.join() === seats.join()) return;
  try {
    // Of games whose key is gone the seats need not be known either.
    const kept = Object.entries(known).filter(([each]) => keyOf(each) !== null);
    localStorage.setItem(SEATS, JSON.stringify({ ...Object.fromEntries(kept), [game]: seats }));
  } catch {
    // Without storage they are learnt again at the table.
  }
}

/** The key in a fragment like `#key=…`. */
export function keyInFragment(hash: string): string | null {
  return new URLSearchParams(hash.replace(/^#/, "")).get("key");
}

/** An address that seats whoever opens it. */
export function invitation(game: string, key: string): string {
  return `${location.origin}/game/${encodeURIComponent(game)}#key=${encodeURIComponent(key)}`;
}
