/** A choice of the search that leads to a page. */
export type RecentChoice = { href: string; name: string; note: string }

/** Names of hosts and projects are among them, so they end with the tab or the sign-out. */
const STORAGE_KEY = 'sliceboard-recent'
const MAX_CHOICES = 5

const isChoice = (value: unknown): value is RecentChoice =>
  typeof value === 'object' &&
  value !== null &&
  ['href', 'name', 'note'].every((name) => typeof Reflect.get(value, name) === 'string')

const parse = (text: string | null): RecentChoice[] => {
  try {
    const value: unknown = JSON.parse(text ?? '[]')
    return Array.isArray(value) ? value.filter(isChoice) : []
  } catch {
    // Another version may have written another form.
    return []
  }
}

/** The last choices of this tab, the newest first. */
export const recentChoices = (): RecentChoice[] => parse(window.sessionStorage.getItem(STORAGE_KEY))

export const rememberChoice = ({ href, name, note }: RecentChoice): void => {
  const others = recentChoices().filter((choice) => choice.href !== href)
  const choices = [{ href, name, note }, ...others].slice(0, MAX_CHOICES)
  window.sessionStorage.setItem(STORAGE_KEY, JSON.stringify(choices))
}
