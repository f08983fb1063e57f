/** Of 12 px letters, on average; wider than most. */
const LETTER = 6.6
const SWATCH = 20
const GAP = 16

/** Where the keys of a legend stand on a picture of `width` pixels: in rows, none cut at the right edge. */
export const placeKeys = (
  words: readonly string[],
  width: number,
): { places: { x: number; row: number }[]; rows: number } => {
  let [x, row] = [0, 0]
  const places = words.map((word) => {
    const wide = SWATCH + word.length * LETTER
    if (x > 0 && x + wide > width) [x, row] = [0, row + 1]
    const place = { x, row }
    x += wide + GAP
    return place
  })
  return { places, rows: words.length === 0 ? 0 : row + 1 }
}
