/** The server's HTTP part. Keys go into the header; a refusal is thrown as a `Refused`. */

import type {
  Account,
  Problem,
  BeatCard,
  GameCard,
  Json,
  Created,
  Moment,
  NewGame,
  FoundRules,
  RuleCard,
  RulesetCard,
} from "./types";

export class Refused extends Error {
  constructor(
    readonly status: number,
    readonly error: Problem,
  ) {
    super(error.message);
  }
}

interface Call {
  method?: "GET" | "POST";
  key?: string | null;
  body?: unknown;
  signal?: AbortSignal;
}

async function call(path: string, { method = "GET", key, body, signal }: Call = {}): Promise<Response> {
  const headers: Record<string, string> = { Accept: "application/json" };
  if (key) headers.Authorization = `Bearer ${key}`;
  // A game file is sent as it is; everything else is JSON.
  const file = typeof body === "string";
  if (body !== undefined) headers["Content-Type"] = file ? "text/plain" : "application/json";
  let response: Response;
  try {
    response = await fetch(path, {
      method,
      headers,
      ...(body === undefined ? {} : { body: file ? body : JSON.stringify(body) }),
      ...(signal ? { signal } : {}),
    });
  } catch (error) {
    if (error instanceof DOMException && error.name === "AbortError") throw error;
    throw new Refused(0, { kind: "unreachable", message: "The server does not answer." });
  }
  if (!response.ok) throw new Refused(response.status, await refusalOf(response));
  return response;
}

async function refusalOf(response: Response): Promise<Problem> {
  try {
    const said: unknown = await response.json();
    const error = (said as { error?: Problem }).error;
    if (error?.message) return error;
  } catch {
    // Not JSON: a proxy may have answered.
  }
  return { kind: "unknown", message: `The server refused (${response.status}).` };
}

async function json<T>(path: string, options?: Call): Promise<T> {
  return (await (await call(path, options)).json()) as T;
}

function query(values: Record<string, string | number | null | undefined>): string {
  const given = Object.entries(values).filter(([, value]) => value !== null && value !== undefined && value !== "");
  return given.length ? `?${new URLSearchParams(given.map(([name, value]) => [name, String(value)]))}` : "";
}

const game = (id: string) => `/api/games/${encodeURIComponent(id)}`;
const post = <T>(path: string, body: unknown, key?: string | null) => json<T>(path, { method: "POST", body, key });

export const rulesets = () => json<RulesetCard[]>("/api/rulesets");
export const scenarioPicture = (ruleset: string, scenario: string) =>
  `/api/rulesets/${encodeURIComponent(ruleset)}/scenarios/${encodeURIComponent(scenario)}/picture.svg`;
const lesson = (ruleset: string, name: string) =>
  `/api/rulesets/${encodeURIComponent(ruleset)}/lessons/${encodeURIComponent(name)}`;
export const lessonCard = (ruleset: string, name: string) => `${lesson(ruleset, name)}/picture.svg?size=card`;
/** A first battle with its guide. */
export const beginLesson = (ruleset: string, name: string) => post<Created>(lesson(ruleset, name), undefined);
export const scenarioCard = (ruleset: string, scenario: string) => `${scenarioPicture(ruleset, scenario)}?size=card`;
/** Which rules are sought, and which of them are wanted now. */
export type Sought = {
  ruleset?: string | null;
  chapter?: string | null;
  find?: string;
  after?: number;
  limit?: number;
};
export const rules = (asked: Sought, signal?: AbortSignal) =>
  json<FoundRules>(`/api/rules${query(asked)}`, signal ? { signal } : {});
export const rule = (id: string) => json<RuleCard>(`/api/rules/${encodeURIComponent(id)}`);

export const newGame = (wish: NewGame) => post<Created>("/api/games", wish);
export const importGame = (record: string) => post<Created>("/api/games/import", record);
export const games = (state?: "running" | "finished") => json<GameCard[]>(`/api/games${query({ state })}`);
export const gameAbout = (id: string) => json<GameCard>(game(id));
export const gamePicture = (id: string) => `${game(id)}/picture.svg?size=small`;
export const join = (id: string, key: string, name?: string) =>
  post<{ seats: string[] }>(`${game(id)}/join`, name ? { name } : {}, key);
export const holdSeat = (id: string, key: string | null, seat: string, holder: string) =>
  post<Json>(`${game(id)}/seats`, { seat, holder }, key);
/** A new key for a seat, and for those that share its key. */
export const renewKey = (id: string, key: string | null, seat: string) =>
  post<{ keys: Record<string, string> }>(`${game(id)}/keys`, { seat }, key);
export const beats = (id: string, key: string | null, seat?: string | null) =>
  json<BeatCard[]>(`${game(id)}/beats${query({ seat })}`, { key });
export const moment = (id: string, key: string | null, number: number, seat?: string | null) =>
  json<Moment>(`${game(id)}/moments/${number}${query({ seat })}`, { key });
export const account = (id: string) => json<Account>(`${game(id)}/account`);

/** A file of the game, fetched with the key and handed to the browser's downloads. */
export async function download(path: string, key: string | null, name: string): Promise<void> {
  const blob = await (await call(path, { key })).blob();
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

export const recordPath = (id: string) => `${game(id)}/game`;
export const situationPath = (id: string, number: number, seat?: string | null) =>
  `${game(id)}/moments/${number}/situation.toml${query({ seat })}`;

export const livePath = (id: string) => `${game(id)}/live`;

