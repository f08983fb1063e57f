/** A word as a POSIX shell reads it back unchanged. */
export const shellQuote = (text: string): string =>
  /^[A-Za-z0-9_./:@%+=-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`
