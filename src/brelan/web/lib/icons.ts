/** A drawing: what stands inside its `<svg>`, and its `viewBox`. */
export interface Icon {
  body: string;
  box: string;
}
