/** Names within a text: `[[team:red-1-rifle-2|Red Rifle 2]]` says what is meant, and what people call it. */

export interface Token {
  kind: "unit" | "team" | "rule" | "place";
  id: string;
  name: string;
}

const TOKEN = /\[\[(unit|team|rule|place):([^[\]|]+)\|([^[\]]*)\]\]/g;

/** A text in pieces: what is only said, and what stands for something. */
export function parts(text: string): (string | Token)[] {
  const found: (string | Token)[] = [];
  let end = 0;
  for (const match of text.matchAll(TOKEN)) {
    const [whole, kind, id = "", name = ""] = match;
    if (match.index > end) found.push(text.slice(end, match.index));
    found.push({ kind: kind as Token["kind"], id, name });
    end = match.index + whole.length;
  }
  return end < text.length ? [...found, text.slice(end)] : found;
}

/** A text as people read it. */
export function plain(text: string): string {
  return parts(text).map((part) => (typeof part === "string" ? part : part.name)).join("");
}
