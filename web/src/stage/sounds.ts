/** Small sounds, made on the spot: dice that rattle, a shot, a thud. Nothing is fetched. */

import type { Beat } from "./beats";

let context: AudioContext | null = null;

/** A short noise, duller and longer the lower its pitch. */
function noise(at: number, length: number, pitch: number, volume: number): void {
  if (!context) return;
  const count = Math.floor(context.sampleRate * length);
  const buffer = context.createBuffer(1, count, context.sampleRate);
  const data = buffer.getChannelData(0);
  for (let k = 0; k < count; k += 1) data[k] = (Math.random() * 2 - 1) * (1 - k / count) ** 2;
  const source = new AudioBufferSourceNode(context, { buffer });
  const filter = new BiquadFilterNode(context, { type: "bandpass", frequency: pitch, Q: 0.8 });
  const gain = new GainNode(context, { gain: volume });
  source.connect(filter).connect(gain).connect(context.destination);
  source.start(context.currentTime + at);
}

export function play(beat: Beat): void {
  try {
    context ??= new AudioContext();
  } catch {
    // A browser without sound is silent.
    return;
  }
  if (beat.kind === "dice") for (const at of [0, 0.09, 0.17, 0.28]) noise(at, 0.06, 2600, 0.25);
  else if (beat.kind === "line") for (const at of [0, 0.12, 0.24]) noise(at, 0.09, 900, 0.35);
  else if (beat.kind === "result" && Object.keys(beat.marks).length) noise(0, 0.25, 160, 0.6);
  else if (beat.kind === "move") noise(0, 0.2, 400, 0.12);
}
