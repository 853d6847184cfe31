import type { Place, Scene, ScenePiece } from "../lib/types";
import { along, type Beat } from "./beats";

/** A scene with the pieces of a beat so far on their ways. What outlines their units stays behind with nobody in it: it goes. */
export function moved(scene: Scene, beat: Beat, part: number): Scene {
  const gone = new Set<string>();
  const pieces = scene.pieces.map((piece): ScenePiece => {
    const way = beat.ways[piece.id];
    if (!way) return piece;
    gone.add(piece.unit);
    const [x, y] = along(way, part);
    const place: Place = { ...piece.place, x, y };
    return { ...piece, place };
  });
  return { ...scene, pieces, bodies: scene.bodies.filter(({ id }) => !gone.has(id)) };
}
