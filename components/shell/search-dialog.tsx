'use client'

import { useQuery } from '@tanstack/react-query'
import { Command } from 'cmdk'
import { useRouter } from 'next/navigation'
import * as RadixDialog from 'radix-ui/dialog'
import { useState } from 'react'
import { DialogSurface } from '@/components/ui/dialog'
import { searchOptions } from '@/lib/api/search'
import { accountOptions } from '@/lib/api/session'
import { SEARCH_TEXT } from '@/lib/schemas/api/search-text'
import { gpusPath } from '@/lib/util/paths'
import { type RecentChoice, recentChoices, rememberChoice } from './recent-choices'
import { findCommands } from './search-commands'
import {
  commandSections,
  foundText,
  resultSections,
  type SearchSection,
  type SearchTarget,
} from './search-sections'
import { useCloud } from './use-cloud'

const item =
  'flex cursor-default items-baseline gap-2 rounded-[5px] px-2.5 py-1.5 wrap-anywhere data-[selected=true]:bg-accent2 data-[selected=true]:text-accent-ink'
const group =
  '[&_[cmdk-group-heading]]:px-2.5 [&_[cmdk-group-heading]]:pt-2 [&_[cmdk-group-heading]]:pb-0.5 [&_[cmdk-group-heading]]:text-ink3 [&_[cmdk-group-heading]]:text-small'

const Section = ({
  section: { heading, count, targets },
  onOpen,
}: {
  section: SearchSection
  onOpen: (target: SearchTarget) => void
}) => (
  <Command.Group
    heading={
      <>
        {heading} <span className="tabular-nums">{count}</span>
      </>
    }
    className={group}
  >
    {targets.map((target) => (
      <Command.Item key={target.key} value={target.key} onSelect={() => onOpen(target)} className={item}>
        <span className={target.isMono ? 'font-mono text-small' : undefined}>{target.name}</span>
        <span className="min-w-0 flex-1 truncate text-right text-ink3 text-small">{target.note}</span>
      </Command.Item>
    ))}
  </Command.Group>
)

const recentSection = (recent: readonly RecentChoice[]): SearchSection[] =>
  recent.length === 0
    ? []
    : [
        {
          heading: 'Recent',
          count: '',
          targets: recent.map((choice) => ({ ...choice, key: `recent ${choice.href}` })),
        },
      ]

/** Commands first, since they are few, then what the server found. Before a text is typed: the last choices and all commands. */
const useSections = (text: string) => {
  const { cloud } = useCloud()
  const { data: account } = useQuery(accountOptions())
  const query = useQuery(searchOptions({ cloud, text }))
  const [recent] = useState(recentChoices)
  const commands = account === undefined ? [] : commandSections(findCommands(text, account.role), cloud)
  const results = query.data === undefined || !query.isEnabled ? [] : resultSections(query.data, cloud)
  const isEmpty = text.trim() === ''
  return { query, cloud, sections: [...(isEmpty ? recentSection(recent) : []), ...commands, ...results] }
}

const Body = ({ text, onOpen }: { text: string; onOpen: (choice: RecentChoice) => void }) => {
  const { query, cloud, sections } = useSections(text)
  const { data, error, isPending, isEnabled, refetch } = query
  const trimmed = text.trim()
  return (
    <>
      <Command.List className="max-h-[56vh] overflow-y-auto p-1.5 empty:hidden">
        {sections.map((section) => (
          <Section key={section.heading} section={section} onOpen={onOpen} />
        ))}
        {isEnabled && data !== undefined ? (
          <Command.Item
            value="filter the list of GPUs"
            onSelect={() =>
              onOpen({
                href: gpusPath({ cloud, search: { q: trimmed } }),
                name: `GPUs that match “${trimmed}”`,
                note: '',
              })
            }
            className={item}
          >
            Show the GPUs that match “{trimmed}”
          </Command.Item>
        ) : null}
      </Command.List>
      {error === null ? null : (
        <p role="alert" className="px-4 pb-2.5 text-bad">
          {error.message}{' '}
          <button type="button" className="underline" onClick={() => void refetch()}>
            Try again
          </button>
        </p>
      )}
      <p role="status" className="border-line2 border-t px-4 py-2 text-ink3 empty:hidden">
        {error === null && isEnabled ? (isPending ? 'Searching' : foundText(sections)) : null}
      </p>
    </>
  )
}

export const SearchDialog = ({
  isOpen,
  onOpenChange,
}: {
  isOpen: boolean
  onOpenChange: (isOpen: boolean) => void
}) => {
  const router = useRouter()
  const [text, setText] = useState('')
  const open = (choice: RecentChoice) => {
    onOpenChange(false)
    rememberChoice(choice)
    router.push(choice.href)
  }
  return (
    <RadixDialog.Root open={isOpen} onOpenChange={onOpenChange}>
      <RadixDialog.Portal>
        <RadixDialog.Overlay className="fixed inset-0 z-40 bg-scrim" />
        <DialogSurface
          isDescribed={false}
          className="float-in fixed top-[12vh] left-1/2 z-50 w-[min(560px,calc(100vw-24px))] -translate-x-1/2 overflow-hidden rounded-panel border border-line bg-panel shadow-float"
        >
          <RadixDialog.Title className="sr-only">Search or run a command</RadixDialog.Title>
          <Command shouldFilter={false} label="Search or run a command">
            <Command.Input
              value={text}
              onValueChange={setText}
              maxLength={SEARCH_TEXT.maxCharacters}
              placeholder="Name, PCI address, number of a change, page or action"
              className="h-11 w-full border-line border-b bg-transparent px-3.5 text-lead outline-none"
            />
            <Body text={text} onOpen={open} />
          </Command>
        </DialogSurface>
      </RadixDialog.Portal>
    </RadixDialog.Root>
  )
}
