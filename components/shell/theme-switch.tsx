'use client'

import { createLucideIcon, Moon, Sun } from 'lucide-react'
import { useSyncExternalStore } from 'react'
import { Button } from '@/components/ui/button'
import { Tooltip } from '@/components/ui/tooltip'
import { THEME_COOKIE, THEMES, type Theme, themeOf } from '@/lib/util/theme'

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
const presentTheme = (): Theme => themeOf(document.documentElement.dataset.theme)
const themeOnServer = (): Theme => 'system'

const subscribeToTheme = (listener: () => void): (() => void) => {
  if (tabs === null) {
    tabs = new BroadcastChannel(THEME_COOKIE)
    tabs.onmessage = ({ data }) => draw(themeOf(String(data)))
  }
  listeners.add(listener)
  return () => listeners.delete(listener)
}

const chooseTheme = (theme: Theme): void => {
  const secure = location.protocol === 'https:' ? '; Secure' : ''
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is for secure contexts, and a console may be none
  document.cookie = `${THEME_COOKIE}=${theme}; Path=/; SameSite=Lax; Max-Age=${YEAR_SECONDS}${secure}`
  draw(theme)
  tabs?.postMessage(theme)
}

/** Lucide's icon, with one outline in place of three, because it is on every page. */
const Monitor = createLucideIcon('monitor', [
  [
    'path',
    {
      d: 'M4 3h16a2 2 0 0 1 2 2v10a2 2 0 0 1-2 2H4a2 2 0 0 1-2-2V5a2 2 0 0 1 2-2zM8 21h8M12 17v4',
      key: 'outline',
    },
  ],
])

const looks = {
  system: { label: 'system', Icon: Monitor },
  light: { label: 'light', Icon: Sun },
  dark: { label: 'dark', Icon: Moon },
} as const

/** Goes through system, light, dark. */
export const ThemeSwitch = () => {
  const theme = useSyncExternalStore(subscribeToTheme, presentTheme, themeOnServer)
  const next = THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length] ?? 'system'
  const { label, Icon } = looks[theme]
  return (
    <Tooltip content={`Color theme: ${label}. Switch to ${looks[next].label}.`}>
      <Button
        variant="ghost"
        size="icon"
        aria-label={`Color theme: ${label}`}
        onClick={() => chooseTheme(next)}
      >
        <Icon size={15} aria-hidden />
      </Button>
    </Tooltip>
  )
}
