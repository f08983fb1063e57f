'use client'

import * as RadixTabs from 'radix-ui/tabs'
import type { ReactNode } from 'react'

export type Tab = { value: string; label: string; content: ReactNode }

/** Some of several things, chosen by a row of names; arrow keys go along it. */
export const Tabs = ({ label, tabs }: { label: string; tabs: readonly Tab[] }) => (
  <RadixTabs.Root defaultValue={tabs[0]?.value ?? ''}>
    <RadixTabs.List
      aria-label={label}
      className="mb-2.5 flex flex-wrap gap-x-1 border-line border-b print:hidden"
    >
      {tabs.map(({ value, label: name }) => (
        <RadixTabs.Trigger
          key={value}
          value={value}
          className="-mb-px cursor-pointer border-transparent border-b-2 px-2 py-1 text-ink2 hover:text-ink data-[state=active]:border-accent data-[state=active]:font-semibold data-[state=active]:text-ink"
        >
          {name}
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
