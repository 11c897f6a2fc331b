import type { Sound } from "./sound";

/** One short noise: paper through a filter, or wood and strings as a sine that dies away. */
interface Grain {
  /** Seconds after the beginning. */
  at: number;
  /** How long it dies away, in seconds. */
  lasts: number;
  /** Loudness, 1 the loudest. */
  gain: number;
  /** Centre of the filter for paper, pitch for wood; in hertz. */
  pitch: number;
  kind: "paper" | "wood" | "string";
  /** Where the pitch ends, if it glides. */
  falls?: number;
}

const NOTES = [392, 494, 587]; // G, B, D
const notes = (pitches: number[]): Grain[] => pitches.map((pitch, at) => ({ at: at * 0.11, lasts: 0.17, gain: 0.5, pitch, kind: "string" }));

/** All of them are shorter than 400 ms. */
const SOUNDS: Record<Sound, Grain[]> = {
  card: [
    { at: 0, lasts: 0.06, gain: 0.5, pitch: 3400, kind: "paper", falls: 1900 },
    { at: 0.045, lasts: 0.05, gain: 0.8, pitch: 1100, kind: "paper", falls: 600 },
  ],
  knock: [
    { at: 0, lasts: 0.09, gain: 0.9, pitch: 210, kind: "wood", falls: 150 },
    { at: 0, lasts: 0.02, gain: 0.25, pitch: 1500, kind: "paper" },
    { at: 0.16, lasts: 0.09, gain: 0.7, pitch: 200, kind: "wood", falls: 140 },
    { at: 0.16, lasts: 0.02, gain: 0.2, pitch: 1500, kind: "paper" },
  ],
  tick: [{ at: 0, lasts: 0.03, gain: 0.5, pitch: 2200, kind: "wood", falls: 1800 }],
  won: notes(NOTES),
  lost: notes([...NOTES].reverse()),
};
const LOUDEST = 0.3; // keeps the whole near -18 LUFS

let context: AudioContext | undefined;
let hiss: AudioBuffer | undefined;

/** A second of white noise, made once. */
function noise(audio: AudioContext): AudioBuffer {
  if (hiss) return hiss;
  hiss = audio.createBuffer(1, audio.sampleRate, audio.sampleRate);
  const samples = hiss.getChannelData(0);
  for (let at = 0; at < samples.length; at++) samples[at] = Math.random() * 2 - 1;
  return hiss;
}

function source(audio: AudioContext, grain: Grain, start: number): AudioScheduledSourceNode {
  if (grain.kind === "paper") {
    const paper = audio.createBufferSource();
    paper.buffer = noise(audio);
    paper.start(start, Math.random() * 0.8);
    return paper;
  }
  const tone = audio.createOscillator();
  tone.type = grain.kind === "wood" ? "sine" : "triangle";
  tone.frequency.setValueAtTime(grain.pitch, start);
  if (grain.falls) tone.frequency.exponentialRampToValueAtTime(grain.falls, start + grain.lasts);
  tone.start(start);
  return tone;
}

function sow(audio: AudioContext, grain: Grain, volume: number): void {
  const start = audio.currentTime + 0.01 + grain.at;
  const end = start + grain.lasts;
  const made = source(audio, grain, start);
  const loudness = audio.createGain();
  loudness.gain.setValueAtTime(0.0001, start);
  loudness.gain.exponentialRampToValueAtTime(Math.max(0.0002, grain.gain * volume * LOUDEST), start + 0.004);
  loudness.gain.exponentialRampToValueAtTime(0.0001, end);
  let last: AudioNode = made;
  if (grain.kind === "paper") {
    const filter = audio.createBiquadFilter();
    filter.type = "bandpass";
    filter.Q.value = 0.9;
    filter.frequency.setValueAtTime(grain.pitch, start);
    if (grain.falls) filter.frequency.exponentialRampToValueAtTime(grain.falls, end);
    last = made.connect(filter);
  }
  last.connect(loudness).connect(audio.destination);
  made.stop(end + 0.02);
}

/** Play a sound at a volume between 0 and 1. */
export async function play(what: Sound, volume: number): Promise<void> {
  context ??= new AudioContext({ latencyHint: "interactive" });
  if (context.state === "suspended") await context.resume();
  for (const grain of SOUNDS[what]) sow(context, grain, volume);
}
