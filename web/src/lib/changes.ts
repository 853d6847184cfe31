/** States come as changes: what has not changed is kept as it was. */

import type { ListChange, Scene, SceneChange, State, StateChange } from "./types";

/** A list with ids after a change. What has not changed stays the very same object. */
export function mergedList<T extends { id: string }>(old: T[], change: ListChange<T> | undefined): T[] {
  if (!change) return old;
  const things = new Map([...old, ...change.put].map((thing) => [thing.id, thing]));
  for (const { less, ...news } of change.change ?? []) {
    const before = Object.entries(things.get(news.id)!).filter(([name]) => !less?.includes(name));
    things.set(news.id, { ...Object.fromEntries(before), ...news } as unknown as T);
  }
  return (change.ids ?? old.map(({ id }) => id)).map((id) => things.get(id)!);
}

export function mergedScene(old: Scene, change: SceneChange): Scene {
  const { pieces, features, bodies, ...rest } = change;
  return {
    ...old,
    ...rest,
    pieces: mergedList(old.pieces, pieces),
    features: mergedList(old.features, features),
    bodies: mergedList(old.bodies, bodies),
  };
}

/** The first message of a socket brings the whole state. */
export function mergedState(old: State | null, change: StateChange): State {
  const { scene: _scene, events: _events, from: _from, roster, ...rest } = change;
  return { ...(old as State), ...rest, roster: mergedList(old?.roster ?? [], roster) };
}
