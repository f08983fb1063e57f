/** GitHub's name for a heading of a document: lower case, no punctuation, a dash for each blank. Takes Markdown or text. */
export const docAnchor = (heading: string): string =>
  heading
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(' ', '-')
