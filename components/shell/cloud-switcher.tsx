'use client'

import { useQuery } from '@tanstack/react-query'
import { ChevronDown } from 'lucide-react'
import { cloudListOptions } from '@/lib/api/clouds'
import { accountOptions } from '@/lib/api/session'
import { isAllowed } from '@/lib/domain/access/permissions'
import { useCloud } from './use-cloud'

/** Which cloud the pages show. With one cloud it is a plain name. */
export const CloudSwitcher = () => {
  const { cloud, setCloud } = useCloud()
  const account = useQuery(accountOptions())
  const isOverseer = isAllowed({
    roles: account.data === undefined ? [] : [account.data.role],
    action: 'fleet.read',
  })
  const { data } = useQuery({ ...cloudListOptions(), enabled: isOverseer })
  const clouds = data?.clouds ?? []
  const present = clouds.find(({ name }) => name === cloud) ?? (cloud === null ? clouds[0] : undefined)
  const name = present?.name ?? cloud ?? account.data?.cloud ?? '…'
  return (
    <div className="relative flex items-center justify-between rounded-[7px] border border-line px-[9px] py-1.5 focus-within:outline-2 focus-within:outline-accent">
      <span className="min-w-0">
        <span className="block truncate">{name}</span>
        <small className="block truncate text-ink3 text-tiny">
          {data === undefined ? '\u00a0' : (present?.region ?? 'no region named')}
        </small>
      </span>
      {clouds.length < 2 ? null : (
        <>
          <ChevronDown size={14} aria-hidden className="text-ink3" />
          <select
            aria-label="Cloud"
            value={name}
            onChange={(event) => void setCloud(event.target.value)}
            className="absolute inset-0 w-full cursor-pointer opacity-0"
          >
            {clouds.map((one) => (
              <option key={one.name} value={one.name}>
                {one.region === null ? one.name : `${one.name} (${one.region})`}
              </option>
            ))}
          </select>
        </>
      )}
    </div>
  )
}
