'use client'

import { Monitor, Moon, Sun } from 'lucide-react'
import { useTheme } from 'next-themes'
import { Button } from '@/components/ui/button'
import { Tooltip } from '@/components/ui/tooltip'
import { useIsInBrowser } from './use-is-in-browser'

const themes = [
  { name: 'system', label: 'as the system', Icon: Monitor },
  { name: 'light', label: 'light', Icon: Sun },
  { name: 'dark', label: 'dark', Icon: Moon },
] as const

/** Goes through system, light, dark. The chosen theme is known in the browser only. */
export const ThemeSwitch = () => {
  const { theme, setTheme } = useTheme()
  const isInBrowser = useIsInBrowser()
  const at = isInBrowser
    ? Math.max(
        0,
        themes.findIndex(({ name }) => name === theme),
      )
    : 0
  const present = themes[at] ?? themes[0]
  const next = themes[(at + 1) % themes.length] ?? themes[0]
  return (
    <Tooltip content={`Colours: ${present.label}. Press for ${next.label}.`}>
      <Button
        variant="ghost"
        size="icon"
        aria-label={`Colours: ${present.label}`}
        onClick={() => setTheme(next.name)}
      >
        <present.Icon size={15} aria-hidden />
      </Button>
    </Tooltip>
  )
}
