'use client'

import * as RadixTabs from 'radix-ui/tabs'
import type { ReactNode } from 'react'
import { classNames } from '@/lib/util/class-names'

export type Tab = {
  value: string
  label: string
  /** A number behind the label, with the noun that a screen reader reads after it. */
  badge?: { count: number; noun: string; isWarning?: boolean } | undefined
  content: ReactNode
}

const Badge = ({ count, noun, isWarning = false }: NonNullable<Tab['badge']>) => (
  <span
    className={classNames(
      'ml-1.5 rounded-full px-1.5 py-px font-semibold text-tiny tabular-nums',
      isWarning ? 'bg-warn2 text-warn' : 'bg-line2 text-ink2',
    )}
  >
    {count}
    <span className="sr-only"> {noun}</span>
  </span>
)

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
          {badge === undefined ? null : <Badge {...badge} />}
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
