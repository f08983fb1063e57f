'use client'

import { Monitor, Moon, Sun } from 'lucide-react'
import { useSyncExternalStore } from 'react'
import { Button } from '@/components/ui/button'
import { Tooltip } from '@/components/ui/tooltip'
import { THEMES } from '@/lib/util/theme'
import { chooseTheme, presentTheme, subscribeToTheme, themeOnServer } from './theme-store'

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
