/**
 * The messages of the server, as types. Written by `npm run wire` from docs/protocol.schema.json:
 * do not edit. `Message` is what comes over a socket, `Command` what goes.
 */

export type Command = Move | Resign | TakeBack | Draw | Agree | Refuse | React | Hint | Sync | Ping;
export type Message = Happened | Snapshot | TableInfo | Reacted | Done | Hinted | Failed;

/**
 * Make a move; `ply` is how many events the client knows of.
 */
export interface Move {
  t: "move";
  id: number;
  ply: number;
  move: number;
}
/**
 * Give the match up.
 */
export interface Resign {
  t: "resign";
  id: number;
}
/**
 * Take one's latest move back, if nothing was shown since; other people are asked first.
 */
export interface TakeBack {
  t: "takeback";
  id: number;
  ply: number;
}
/**
 * Offer a draw, in a game that knows draws by agreement.
 */
export interface Draw {
  t: "draw";
  id: number;
  ply: number;
}
/**
 * Agree to what is asked.
 */
export interface Agree {
  t: "agree";
  id: number;
  ply: number;
}
/**
 * Refuse what is asked.
 */
export interface Refuse {
  t: "refuse";
  id: number;
  ply: number;
}
/**
 * Show one of a few reactions.
 */
export interface React {
  t: "react";
  id: number;
  reaction: "good_game" | "hello" | "oops" | "thanks" | "thinking" | "well_played";
}
/**
 * Ask what a bot would do in one's place, where the table allows it.
 */
export interface Hint {
  t: "hint";
  id: number;
  ply: number;
  level?: "club" | "expert" | "novice";
}
/**
 * Ask for all that has happened from an event on.
 */
export interface Sync {
  t: "sync";
  id: number;
  since: number;
}
/**
 * Ask for an answer.
 */
export interface Ping {
  t: "ping";
  id: number;
}
/**
 * An event, with the moves of the table that followed, as one reader sees all of it.
 *
 * After a `takeback` follows a snapshot: what was taken back is not there any more.
 */
export interface Happened {
  t: "event";
  ply: number;
  kind:
    | "agreed"
    | "asked"
    | "draw"
    | "move"
    | "offered"
    | "refused"
    | "resign"
    | "start"
    | "takeback"
    | "takeover"
    | "timeout";
  seat: number | null;
  steps: Step[];
  turn: number | null;
  legal: number[];
  words: Choice[];
  clocks?: Clocks | null;
  result?: ResultInfo | null;
  first?: number[] | null;
}
/**
 * One move as a reader sees it: who made it, which, what the reader sees then and is told.
 */
export interface Step {
  seat: number | null;
  move: number;
  notation: string;
  view: number[];
  story: Text[];
}
/**
 * A text by its key, with arguments; a client has the texts of its language.
 *
 * An argument is a number, a string, or a `Text` of its own with a `kind` for `select`.
 */
export interface Text {
  key: string;
  args?: {
    [k: string]: number | string | Text;
  };
  kind?: string | null;
}
/**
 * A legal move, and how it is written and said now, where that depends on the view.
 */
export interface Choice {
  move: number;
  notation: string;
  label: Text;
}
/**
 * The time that is left to each seat, in milliseconds, when this was sent.
 */
export interface Clocks {
  left: number[];
  running?: number | null;
}
/**
 * How the match ended.
 */
export interface ResultInfo {
  scores: number[];
  winners: number[];
  reason: string;
}
/**
 * How a match stands, as one reader sees it: all that is needed to go on from here.
 */
export interface Snapshot {
  t: "snapshot";
  ply: number;
  view: number[];
  story: Text[];
  turn: number | null;
  legal: number[];
  words: Choice[];
  clocks?: Clocks | null;
  result?: ResultInfo | null;
  asked?: Asked | null;
}
/**
 * What a seat asks all other people for, until they have answered or somebody moves.
 */
export interface Asked {
  kind: "draw" | "takeback";
  seat: number;
  agreed: number[];
}
/**
 * A table as anybody at it may know it.
 */
export interface TableInfo {
  t: "table";
  table: string;
  game: string;
  rules: number;
  variant: string;
  knobs: {
    [k: string]: number | string;
  };
  options: Options;
  status: "expired" | "over" | "playing" | "waiting";
  seats: SeatInfo[];
  commitment: string;
  mine: number[];
  ply: number;
  seat?: number | null;
  seal?: string | null;
  secret?: string | null;
  rematch?: string | null;
  origin?: Origin | null;
}
/**
 * What may vary between tables, besides the rules.
 */
export interface Options {
  clock?: Clock;
  spectators?: "delayed" | "none" | "public";
  delay?: number;
  hints?: boolean;
  takeover?: string | null;
  listed?: boolean;
}
/**
 * How long a seat may take: for each move, or in all with an increment for each move.
 */
export interface Clock {
  kind?: "none" | "per_move" | "total";
  seconds?: number;
  increment?: number;
}
/**
 * Who sits at a seat.
 */
export interface SeatInfo {
  kind: "bot" | "guest" | "open";
  name: string;
  bot?: string | null;
  connected?: boolean;
  nonce?: string | null;
}
/**
 * The decision of another match that a match goes on from: it was not dealt for this table.
 */
export interface Origin {
  table: string | null;
  seat: number;
  ply: number;
  as_dealt: boolean;
}
/**
 * Somebody has reacted.
 */
export interface Reacted {
  t: "reaction";
  seat: number;
  reaction: string;
}
/**
 * What was asked for under this id is done; a move is durable.
 */
export interface Done {
  t: "done";
  id: number;
}
/**
 * What a bot would do, and what it expects of that.
 */
export interface Hinted {
  t: "hint";
  id: number;
  move: number;
  value?: number | null;
  other?: number | null;
  other_value?: number | null;
}
/**
 * What was asked for is refused: a code, and what it speaks of. Nothing has changed.
 */
export interface Failed {
  t: "error";
  code: string;
  args?: {
    [k: string]: unknown;
  };
  id?: number | null;
}
/**
 * A decision of the seat, from its view alone; all chances are thousandths.
 */
export interface AnalysedDecision {
  ply: number;
  luck: number;
  chance: number;
  made: number;
  best: number;
  loss: number;
  loss_error: number;
  verdict: "best" | "good" | "inaccuracy" | "mistake";
  solved: boolean;
  legal: number;
  moves: AnalysedMove[];
  belief: Belief[];
  observed: Observed[];
  why: Why | null;
}
/**
 * A legal move of a decision, and what it was worth.
 */
export interface AnalysedMove {
  move: number;
  notation: string;
  label: Text;
  chance: number;
  error: number;
}
/**
 * What was to be believed of a place that the seat did not see.
 */
export interface Belief {
  place: string;
  seat: number | null;
  slots: SlotBelief[];
  holds: CardChance[];
}
/**
 * What may lie in one slot of a place, the likeliest cards first.
 */
export interface SlotBelief {
  slot: number;
  cards: CardChance[];
}
/**
 * How likely a card lies somewhere.
 */
export interface CardChance {
  card: number;
  chance: number;
}
/**
 * A move of another seat that changed what was to be believed of a place.
 */
export interface Observed {
  ply: number;
  told: Text[];
  place: string;
  seat: number | null;
  card: number;
  before: number;
  after: number;
}
/**
 * An event that the best move brings about more often than the move made.
 */
export interface Why {
  event: Text;
  better: number;
  made: number;
}
/**
 * The analysis of a match that is over, from one seat's views: as much as there is so far.
 */
export interface Analysis {
  table: string;
  seat: number;
  level: string;
  state: "done" | "preparing" | "working";
  start: number;
  count: number | null;
  decisions: AnalysedDecision[];
  names: {
    [k: string]: {
      [k: string]: Text;
    };
  };
  end: AnalysisEnd | null;
}
/**
 * What an analysis says of the whole match.
 */
export interface AnalysisEnd {
  last_luck: number;
  given_up: number;
  chance: number;
  score: number | null;
  guesses: number;
  share: number | null;
  truth: number | null;
  counting: number | null;
  moments: Moment[];
}
/**
 * A step worth looking at.
 */
export interface Moment {
  ply: number;
  kind: "choice" | "luck";
  points: number;
  told: Text[];
}
/**
 * How a match begins that goes on from a decision of another one.
 */
export interface Beginning {
  source: Exported;
  seat: number;
  ply: number;
  as_dealt: boolean;
  position: {
    [k: string]: number[];
  } | null;
}
/**
 * A match that is over as one file, with all that is needed to check it.
 */
export interface Exported {
  brelan_match: number;
  table: string;
  game: string;
  rules: number;
  knobs: {
    [k: string]: number | string;
  };
  names: string[];
  commitment: string;
  secret: string;
  nonces: {
    [k: string]: string;
  };
  seal?: string;
  events: LoggedEvent[];
  /**
   * @minItems 3
   * @maxItems 3
   */
  result: [number[], number[], string];
  beginning?: Beginning;
}
/**
 * An event of a log, as it is exported.
 */
export interface LoggedEvent {
  kind: string;
  seat: number;
  number?: number | null;
}
/**
 * A study runs, or a comparison; its id is the secret of its link.
 */
export interface Begun {
  study: string;
}
/**
 * Play a match that is over otherwise, from a decision of one of its seats, against bots.
 */
export interface Branch {
  seat: number;
  ply: number;
  move?: number | null;
  as_dealt?: boolean;
  bot?: string | null;
  name?: string | null;
}
/**
 * A figure of both sides; `number` is a seat's or a place's, or the name of a metric.
 */
export interface ChangeLook {
  key: string;
  number: number | string | null;
  share: boolean;
  sure: boolean;
  fairer: boolean | null;
  a: number | null;
  b: number | null;
  difference: Interval;
}
/**
 * A mean over independent deals, and the bounds of its interval; null: not known yet.
 */
export interface Interval {
  mean: number | null;
  low: number | null;
  high: number | null;
}
/**
 * What an exported match says, after all of it was worked out again; or what is wrong.
 */
export interface Checked {
  verified: boolean;
  why?: string | null;
  game?: string | null;
  rules?: number | null;
  variant?: string | null;
  knobs?: {
    [k: string]: number | string;
  } | null;
  names?: string[] | null;
  commitment?: string | null;
  nonces?: {
    [k: string]: string;
  } | null;
  plies?: number | null;
  resigned?: number | null;
  result?: ResultInfo | null;
  origin?: Origin | null;
  readers?: Telling[] | null;
}
/**
 * A match as one reader saw it: a view before the first move, and all moves.
 */
export interface Telling {
  seat: number | null;
  first: number[];
  steps: Step[];
}
/**
 * A comparison: what is played, and how far it is.
 */
export interface ComparisonInfo {
  study: string;
  game: string;
  rules: number;
  players: number;
  a: SideInfo;
  b: SideInfo;
  precision: number;
  most: number;
  status:
    | "abandoned"
    | "all_played"
    | "disk"
    | "failed"
    | "killed"
    | "running"
    | "settled"
    | "shut_down"
    | "stopped"
    | "time";
  mine: boolean;
  look: ComparisonLook;
}
/**
 * One side of a comparison.
 */
export interface SideInfo {
  variant: string;
  knobs: {
    [k: string]: number | string;
  };
  turned: {
    [k: string]: number | string;
  };
  level: string;
}
/**
 * What is known of a comparison when its process has looked last.
 */
export interface ComparisonLook {
  number: number;
  done: number;
  total: number;
  seconds: number;
  matches: number;
  changes: ChangeLook[];
  duel: DuelLook | null;
}
/**
 * One bot of the side b among bots of the side a, on the same deals from every seat.
 */
export interface DuelLook {
  wins: Interval;
  sure: boolean;
}
/**
 * What a comparison says first, in one language, and how its figures are called.
 *
 * Figures stand between `**`. The names are by key, and behind a colon the number, if there is
 * one.
 */
export interface ComparisonTold {
  headline: string;
  sentences: string[];
  names: {
    [k: string]: string;
  };
}
/**
 * The table of the rematch.
 */
export interface Following {
  table: string;
}
/**
 * A game, and what a table may be opened with.
 */
export interface GameInfo {
  id: string;
  rules: number;
  players: number[];
  default_players: number;
  knobs: KnobInfo[];
  presets: {
    [k: string]: {
      [k: string]: number | string;
    };
  };
  bots: string[];
  draws: boolean;
  reactions: string[];
  compiled: boolean;
  prepared: number;
}
/**
 * One thing of the rules that may vary.
 */
export interface KnobInfo {
  name: string;
  section: string;
  values: (number | string)[];
  default: number | string;
  by_players: {
    [k: string]: number | string;
  };
  only_for: {
    [k: string]: number[];
  };
}
/**
 * Sit down at an open seat, by the link of an invitation or from the lobby.
 */
export interface Join {
  invitation?: string | null;
  seat?: number | null;
  name?: string | null;
  nonce?: string | null;
}
/**
 * Whether a study may be begun here, and how long one may run.
 */
export interface LabInfo {
  is_open: boolean;
  why: ("closed" | "not_installed") | null;
  seconds: number;
  places: number;
  running: number;
}
/**
 * A prepared match that teaches a game, as the learner sees it.
 */
export interface Lesson {
  game: string;
  rules: number;
  knobs: {
    [k: string]: number | string;
  };
  seat: number;
  names: string[];
  first: number[];
  dealt: Step[];
  parts: LessonPart[];
}
/**
 * A step of a lesson: what is said, in each language, and the move that is made then.
 */
export interface LessonPart {
  say: {
    [k: string]: string;
  };
  section: string | null;
  lit: string[];
  turn: number | null;
  legal: number[];
  words: Choice[];
  move: number | null;
  steps: Step[];
  result: ResultInfo | null;
}
/**
 * A table in a list. Times are seconds since 1970.
 */
export interface Listed {
  table: string;
  game: string;
  rules: number;
  knobs: {
    [k: string]: number | string;
  };
  status: "expired" | "over" | "playing" | "waiting";
  seats: ListedSeat[];
  mine: number[];
  created: number;
  ended: number | null;
  result: ResultInfo | null;
  rematch: string | null;
  turn?: number | null;
  origin?: Origin | null;
}
/**
 * Who sits at a seat of a table in a list.
 */
export interface ListedSeat {
  kind: "bot" | "guest" | "open";
  name: string;
  bot?: string | null;
}
/**
 * What is known of a study when its process has looked last.
 */
export interface Look {
  number: number;
  done: number;
  total: number;
  seconds: number;
  matches: number;
  seats: Interval[];
  order: Interval[];
  ties: Interval | null;
  minutes: Interval | null;
  decisions: Interval | null;
  forced: Interval | null;
  luck: Interval | null;
  score: Interval | null;
  lead: Interval | null;
}
/**
 * Who asks (None: nobody whom the server knows), and the tables at which they sit or sat.
 */
export interface Me {
  name: string | null;
  tables: Listed[];
}
/**
 * What a number of an enumeration stands for; for a card, what is printed on it.
 */
export interface Member {
  number: number;
  name: string;
  printed?: number | string | null;
}
/**
 * The name of whoever asks, from now on.
 */
export interface Named {
  name: string;
}
/**
 * Two variants to be compared on the same deals, or two bots.
 */
export interface NewComparison {
  game: string;
  a: NewSide;
  b: NewSide;
  players?: number | null;
}
/**
 * One of two variants that are compared.
 */
export interface NewSide {
  knobs?: {
    [k: string]: number | string;
  };
  level?: string | null;
}
/**
 * A variant to be studied; `players` is a knob like the others.
 */
export interface NewStudy {
  game: string;
  knobs?: {
    [k: string]: number | string;
  };
  preset?: string | null;
  level?: string | null;
}
/**
 * A table to be opened. The first seat of mine is where I sit; several: on one device.
 */
export interface NewTable {
  game: string;
  seats: Sitting[];
  knobs?: {
    [k: string]: number | string;
  };
  preset?: string | null;
  options?: Options;
  name?: string | null;
}
/**
 * Who is to sit at a seat.
 */
export interface Sitting {
  kind: "bot" | "me" | "open";
  bot?: string | null;
  name?: string | null;
}
/**
 * A table was opened. `links` holds the secrets of its links: `seat 0`, `invitation 1` …
 */
export interface Opened {
  table: string;
  links: {
    [k: string]: string;
  };
}
/**
 * The matches of a variant that people have played to their end here, all together.
 *
 * They are told by `least` at once, answers when as many people have given them. Who wins is that
 * of matches without bots; the rest, of all. Where too few are known a figure is null.
 */
export interface PeopleInfo {
  finished: number;
  left: number;
  least: number;
  matches: number;
  alone: number;
  seats: Interval[];
  order: Interval[];
  ties: Interval | null;
  minutes: Interval | null;
  decisions: Interval | null;
  forced: Interval | null;
  score: Interval | null;
  lead: Interval | null;
  answers: number;
  liked: number[];
  length: number[];
}
/**
 * A place: where it begins in a view, in numbers of 16 bits, and what it holds.
 */
export interface PlaceInfo {
  name: string;
  at: number;
  shape: number[];
  seat_axes: number[];
  wide: boolean;
  held: "counts" | "number" | "one" | "seat" | "set";
  of: string | null;
  sight: "everyone" | "owner";
  sized_by: string | null;
  knob: boolean;
}
/**
 * A seat at a table, and the secret of the personal link to it, where that was made now.
 */
export interface Seated {
  table: string;
  seat: number;
  key?: string | null;
}
/**
 * Change one's name.
 */
export interface SetName {
  name: string;
}
/**
 * Add something of one's own to the luck of the match, until the cards are dealt.
 */
export interface SetNonce {
  seat: number;
  nonce: string;
}
/**
 * A study: what is played, and how far it is.
 */
export interface StudyInfo {
  study: string;
  game: string;
  rules: number;
  variant: string;
  players: number;
  knobs: {
    [k: string]: number | string;
  };
  turned: {
    [k: string]: number | string;
  };
  level: string;
  precision: number;
  most: number;
  status:
    | "abandoned"
    | "all_played"
    | "disk"
    | "failed"
    | "killed"
    | "running"
    | "settled"
    | "shut_down"
    | "stopped"
    | "time";
  mine: boolean;
  look: Look;
}
/**
 * What a report says first, in one language. Figures stand between `**`.
 */
export interface StudyTold {
  headline: string;
  sentences: string[];
}
/**
 * What a person says of a match that they played: how it was, and how long it felt.
 */
export interface SurveyAnswer {
  liked: number;
  length: "long" | "right" | "short";
}
/**
 * Whether whoever asks may answer the two questions on a match: once, when it is over.
 */
export interface SurveyInfo {
  is_open: boolean;
}
/**
 * A match told again, as one reader saw it or as each seat did.
 */
export interface Told {
  table: TableInfo;
  readers: Telling[];
  resigned: number | null;
  result: ResultInfo | null;
}
/**
 * What the numbers of a variant mean, the same for all its matches under these rules.
 */
export interface Vocabulary {
  variant: string;
  rules: number;
  places: PlaceInfo[];
  enumerations: {
    [k: string]: Member[];
  };
  columns: string[];
  moves: number[][];
  wordings: (Worded | null)[][];
}
/**
 * How a move is written and said.
 */
export interface Worded {
  notation: string;
  label: Text;
}
