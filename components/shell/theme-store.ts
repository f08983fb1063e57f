import { THEME_COOKIE, type Theme, themeOf } from '@/lib/util/theme'

const YEAR_SECONDS = 365 * 24 * 3600
const listeners = new Set<() => void>()

/** Other tabs follow a choice at once. */
let tabs: BroadcastChannel | null = null

const draw = (theme: Theme): void => {
  const page = document.documentElement
  if (theme === 'system') page.removeAttribute('data-theme')
  else page.setAttribute('data-theme', theme)
  for (const listener of listeners) listener()
}

/** As the page is drawn: the server put it there, or a choice since. */
export const presentTheme = (): Theme => themeOf(document.documentElement.dataset.theme)
export const themeOnServer = (): Theme => 'system'

export const subscribeToTheme = (listener: () => void): (() => void) => {
  if (tabs === null) {
    tabs = new BroadcastChannel(THEME_COOKIE)
    tabs.onmessage = ({ data }) => draw(themeOf(String(data)))
  }
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export const chooseTheme = (theme: Theme): void => {
  const secure = location.protocol === 'https:' ? '; Secure' : ''
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is for secure contexts, and a console may be none
  document.cookie = `${THEME_COOKIE}=${theme}; Path=/; SameSite=Lax; Max-Age=${YEAR_SECONDS}${secure}`
  draw(theme)
  tabs?.postMessage(theme)
}
