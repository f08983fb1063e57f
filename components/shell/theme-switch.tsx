'use client'

import { createLucideIcon, Moon, Sun } from 'lucide-react'
import { useSyncExternalStore } from 'react'
import { Button } from '@/components/ui/button'
import { Tooltip } from '@/components/ui/tooltip'
import { THEMES } from '@/lib/util/theme'
import { chooseTheme, presentTheme, subscribeToTheme, themeOnServer } from './theme-store'

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
  system: { label: 'as the system', Icon: Monitor },
  light: { label: 'light', Icon: Sun },
  dark: { label: 'dark', Icon: Moon },
} as const

/** Goes through system, light, dark. */
export const ThemeSwitch = () => {
  const theme = useSyncExternalStore(subscribeToTheme, presentTheme, themeOnServer)
  const next = THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length] ?? 'system'
  const { label, Icon } = looks[theme]
  return (
    <Tooltip content={`Colours: ${label}. Press for ${looks[next].label}.`}>
      <Button variant="ghost" size="icon" aria-label={`Colours: ${label}`} onClick={() => chooseTheme(next)}>
        <Icon size={15} aria-hidden />
      </Button>
    </Tooltip>
  )
}
