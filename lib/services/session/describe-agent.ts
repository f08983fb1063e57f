/** In the order in which they must be looked for: each later one's header also carries an earlier one's name. */
const BROWSERS: readonly [RegExp, string][] = [
  [/\bEdg(?:e|A|iOS)?\//, 'Edge'],
  [/\bOPR\/|\bOpera\b/, 'Opera'],
  [/\bFirefox\/|\bFxiOS\//, 'Firefox'],
  [/Chrome\/|\bCriOS\/|\bChromium\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
  [/^curl\//, 'curl'],
]

const SYSTEMS: readonly [RegExp, string][] = [
  [/\bAndroid\b/, 'Android'],
  [/\b(?:iPhone|iPad)\b/, 'iOS'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b|\bMacintosh\b/, 'macOS'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux'],
]

const first = (table: readonly [RegExp, string][], text: string): string | undefined =>
  table.find(([pattern]) => pattern.test(text))?.[1]

/** A User-Agent header in a few words, enough for people to know their own: "Firefox on Linux". */
export const describeAgent = (agent: string | null): string => {
  if (agent === null || agent === '') return 'not told'
  const browser = first(BROWSERS, agent)
  const system = first(SYSTEMS, agent)
  if (browser === undefined) return agent.split(/\s/, 1)[0]?.slice(0, 40) ?? 'not told'
  return system === undefined ? browser : `${browser} on ${system}`
}
