'use client'

import { parseAsString, useQueryState } from 'nuqs'
import { type Tab, Tabs } from '@/components/ui/tabs'

/** The tabs of a page. The chosen one is in the address, and Back returns to the one before. */
export const PageTabs = ({ label, tabs }: { label: string; tabs: readonly [Tab, ...Tab[]] }) => {
  const [named, setNamed] = useQueryState('tab', parseAsString.withOptions({ history: 'push' }))
  const [first] = tabs
  const { value } = tabs.find((tab) => tab.value === named) ?? first
  return (
    <Tabs
      label={label}
      tabs={tabs}
      chosen={{ value, set: (next) => void setNamed(next === first.value ? null : next) }}
    />
  )
}
