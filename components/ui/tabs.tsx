'use client'

import * as RadixTabs from 'radix-ui/tabs'
import type { ComponentProps } from 'react'

export const Tabs = RadixTabs.Root
export const TabsContent = RadixTabs.Content

export const TabsList = (props: ComponentProps<typeof RadixTabs.List>) => (
  <RadixTabs.List
    className="mb-3.5 flex gap-1 overflow-x-auto border-line border-b print:hidden"
    {...props}
  />
)

export const TabsTrigger = (props: ComponentProps<typeof RadixTabs.Trigger>) => (
  <RadixTabs.Trigger
    className="-mb-px whitespace-nowrap border-transparent border-b-2 px-2.5 py-1.5 text-ink2 hover:text-ink data-[state=active]:border-accent data-[state=active]:font-[550] data-[state=active]:text-ink"
    {...props}
  />
)
