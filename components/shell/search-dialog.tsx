'use client'

import { useQuery } from '@tanstack/react-query'
import { Command } from 'cmdk'
import { useRouter } from 'next/navigation'
import * as RadixDialog from 'radix-ui/dialog'
import { type ReactNode, useState } from 'react'
import { DialogSurface } from '@/components/ui/dialog'
import { searchOptions } from '@/lib/api/search'
import type { SearchResults } from '@/lib/schemas/api/search-results'
import { SEARCH_TEXT } from '@/lib/schemas/api/search-text'
import { gpuPath, gpusPath, hostPath } from '@/lib/util/paths'
import { useCloud } from './use-cloud'

const item =
  'flex cursor-default items-baseline gap-2 rounded-[5px] px-2.5 py-1.5 wrap-anywhere data-[selected=true]:bg-accent2 data-[selected=true]:text-accent-ink'
const group =
  '[&_[cmdk-group-heading]]:px-2.5 [&_[cmdk-group-heading]]:pt-2 [&_[cmdk-group-heading]]:pb-0.5 [&_[cmdk-group-heading]]:text-ink3 [&_[cmdk-group-heading]]:text-small'

type Target = { key: string; href: string; name: ReactNode; note: string }
type Section = { heading: string; targets: Target[] }

const sectionsOf = (results: SearchResults, cloud: string | null): Section[] => [
  {
    heading: 'Hosts',
    targets: results.hosts.map((host) => ({
      key: `host ${host}`,
      href: hostPath({ cloud, host }),
      name: host,
      note: '',
    })),
  },
  {
    heading: 'pGPUs',
    targets: results.gpus.map(({ host, address, model }) => ({
      key: `gpu ${host} ${address}`,
      href: gpuPath({ cloud, host, address }),
      name: <span className="font-mono text-small">{address}</span>,
      note: `${host}, ${model}`,
    })),
  },
  {
    heading: 'Servers and guests',
    targets: results.guests.map((guest) => {
      const [address] = guest.pgpuAddresses
      return {
        key: `guest ${guest.host} ${guest.uuid}`,
        href:
          address === undefined
            ? hostPath({ cloud, host: guest.host })
            : gpuPath({ cloud, host: guest.host, address }),
        name: guest.serverName ?? guest.name,
        note: [guest.serverName === null ? null : guest.name, guest.projectName, guest.host]
          .filter((part) => part !== null)
          .join(', '),
      }
    }),
  },
]

export const SearchDialog = ({
  isOpen,
  onOpenChange,
}: {
  isOpen: boolean
  onOpenChange: (isOpen: boolean) => void
}) => {
  const router = useRouter()
  const { cloud } = useCloud()
  const [text, setText] = useState('')
  const { data, error, isPending, isEnabled, refetch } = useQuery(searchOptions({ cloud, text }))
  const open = (href: string) => {
    onOpenChange(false)
    router.push(href)
  }
  const sections = data === undefined || !isEnabled ? [] : sectionsOf(data, cloud)
  return (
    <RadixDialog.Root open={isOpen} onOpenChange={onOpenChange}>
      <RadixDialog.Portal>
        <RadixDialog.Overlay className="fixed inset-0 z-40 bg-scrim" />
        <DialogSurface
          isDescribed={false}
          className="float-in fixed top-[12vh] left-1/2 z-50 w-[min(560px,calc(100vw-24px))] -translate-x-1/2 overflow-hidden rounded-panel border border-line bg-panel shadow-float"
        >
          <RadixDialog.Title className="sr-only">Search hosts, GPUs and servers</RadixDialog.Title>
          <Command shouldFilter={false} label="Search hosts, GPUs and servers">
            <Command.Input
              value={text}
              onValueChange={setText}
              maxLength={SEARCH_TEXT.maxCharacters}
              placeholder="Name of a host, server or guest, PCI address, uuid"
              className="h-11 w-full border-line border-b bg-transparent px-3.5 text-lead outline-none"
            />
            <Command.List className="max-h-[56vh] overflow-y-auto p-1.5">
              {error === null ? null : (
                <p role="alert" className="px-2.5 py-2 text-bad">
                  {error.message}{' '}
                  <button type="button" className="underline" onClick={() => void refetch()}>
                    Try again
                  </button>
                </p>
              )}
              {sections.map(({ heading, targets }) =>
                targets.length === 0 ? null : (
                  <Command.Group key={heading} heading={heading} className={group}>
                    {targets.map(({ key, href, name, note }) => (
                      <Command.Item key={key} value={key} onSelect={() => open(href)} className={item}>
                        {name}
                        <span className="min-w-0 flex-1 truncate text-right text-ink3 text-small">
                          {note}
                        </span>
                      </Command.Item>
                    ))}
                  </Command.Group>
                ),
              )}
              {isEnabled && data !== undefined ? (
                <Command.Item
                  value="filter the list of GPUs"
                  onSelect={() => open(gpusPath({ cloud, search: { q: text.trim() } }))}
                  className={item}
                >
                  Show the GPUs that match “{text.trim()}”
                </Command.Item>
              ) : null}
              {error === null && (!isEnabled || isPending) ? (
                <p className="px-2.5 py-2 text-ink3">
                  {isEnabled ? 'Searching' : `Type at least ${SEARCH_TEXT.minCharacters} characters.`}
                </p>
              ) : null}
              {isEnabled && sections.length > 0 && sections.every(({ targets }) => targets.length === 0) ? (
                <p className="px-2.5 py-2 text-ink3">No host, pGPU or server matches.</p>
              ) : null}
            </Command.List>
          </Command>
        </DialogSurface>
      </RadixDialog.Portal>
    </RadixDialog.Root>
  )
}
