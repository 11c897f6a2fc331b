/** A piece of a sentence: a card in the ink of the game, the sign of a suit, the reader, a name, or plain text. */
export interface StoryPart {
  text: string;
  kind?: "card" | "suit" | "you" | "name";
  /** The word for a sign, for those who do not see it. */
  said?: string;
}

/** A sentence of the story. */
export interface StoryLine {
  /** Whose mark stands before it: name and shape (see `shapeOf`); null for what is the table's. */
  seat: { name: string; shape: number } | null;
  parts: StoryPart[];
  /** It opens a round or a turn. */
  heading?: boolean;
  /** It is why the reader is asked. */
  lit?: boolean;
  /** It is about the reader. */
  own?: boolean;
}
