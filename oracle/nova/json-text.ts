export type JsonPair = readonly [key: string, value: unknown]

/** A JSON object with its pairs as listed, so that a key can come twice. */
export const jsonText = (pairs: readonly JsonPair[]): string =>
  `{${pairs.map(([key, value]) => `${JSON.stringify(key)}: ${JSON.stringify(value)}`).join(', ')}}`
