'use client'

import * as RadixTabs from 'radix-ui/tabs'
import type { ComponentProps, ReactNode } from 'react'
import { CountBadge } from './count-badge'

export type Tab = {
  value: string
  label: string
  badge?: ComponentProps<typeof CountBadge> | undefined
  content: ReactNode
}

/** Some of several things, chosen by a row of names; arrow keys go along it. Without `chosen` it keeps the choice itself. */
export const Tabs = ({
  label,
  tabs,
  chosen,
}: {
  label: string
  tabs: readonly Tab[]
  /** Where the choice is kept elsewhere; Enter or Space chooses then. */
  chosen?: { value: string; set: (value: string) => void } | undefined
}) => (
  <RadixTabs.Root
    {...(chosen === undefined
      ? { defaultValue: tabs[0]?.value ?? '' }
      : { value: chosen.value, onValueChange: chosen.set, activationMode: 'manual' as const })}
  >
    <RadixTabs.List
      aria-label={label}
      className="mb-2.5 flex gap-x-1 overflow-x-auto overflow-y-hidden border-line border-b print:hidden"
    >
      {tabs.map(({ value, label: name, badge }) => (
        <RadixTabs.Trigger
          key={value}
          value={value}
          className="cursor-pointer whitespace-nowrap border-transparent border-b-2 px-2 py-1 text-ink2 hover:text-ink data-[state=active]:border-accent data-[state=active]:font-semibold data-[state=active]:text-ink"
        >
          {name}
          {badge === undefined ? null : (
            <span className="ml-1.5">
              <CountBadge {...badge} />
            </span>
          )}
        </RadixTabs.Trigger>
      ))}
    </RadixTabs.List>
    {tabs.map(({ value, content }) => (
      <RadixTabs.Content key={value} value={value}>
        {content}
      </RadixTabs.Content>
    ))}
  </RadixTabs.Root>
)
