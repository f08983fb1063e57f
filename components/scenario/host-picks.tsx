import { useState } from 'react'
import { Button } from '@/components/ui/button'
import { Input } from '@/components/ui/input'
import { formatCount, formatNoun } from '@/lib/util/format'

/** Maximum number of listed hosts; the filter finds the others. */
const MAX_SHOWN = 60
const FILTERED_FROM = 12

/** Hosts to be ticked. */
export const HostPicks = ({
  hosts,
  picked,
  onPick,
}: {
  hosts: readonly string[]
  picked: readonly string[]
  onPick: (picked: string[]) => void
}) => {
  const [filter, setFilter] = useState('')
  const found = hosts.filter((name) => name.includes(filter.trim().toLowerCase()))
  const isAll = found.length > 0 && found.every((name) => picked.includes(name))
  return (
    <fieldset className="m-0 w-full max-w-[420px] border-0 p-0">
      <legend className="mb-1 flex items-center gap-2 p-0 font-[550] text-small">
        Hosts <span className="font-normal text-ink3">{formatCount(picked.length)} chosen</span>
      </legend>
      {hosts.length < FILTERED_FROM ? null : (
        <Input
          aria-label="Filter the hosts"
          placeholder="Filter"
          className="mb-1.5"
          value={filter}
          onChange={(event) => setFilter(event.target.value)}
        />
      )}
      <div className="grid max-h-40 grid-cols-2 gap-x-4 overflow-auto rounded-control border border-line px-2.5 py-1.5 max-sm:grid-cols-1">
        {found.slice(0, MAX_SHOWN).map((name) => (
          <label key={name} className="flex items-baseline gap-2 break-all">
            <input
              type="checkbox"
              checked={picked.includes(name)}
              onChange={(event) =>
                onPick(event.target.checked ? [...picked, name] : picked.filter((each) => each !== name))
              }
            />
            {name}
          </label>
        ))}
        {found.length > MAX_SHOWN ? (
          <p className="text-ink3 text-small">
            {formatNoun(found.length - MAX_SHOWN, 'more host')}: use the filter
          </p>
        ) : null}
        {found.length === 0 ? <p className="text-ink3 text-small">No host.</p> : null}
      </div>
      <Button
        size="small"
        variant="ghost"
        className="mt-1"
        isUnavailable={found.length === 0}
        onClick={() =>
          onPick(isAll ? picked.filter((name) => !found.includes(name)) : [...new Set([...picked, ...found])])
        }
      >
        {isAll ? 'None of these' : `All ${formatCount(found.length)}`}
      </Button>
    </fieldset>
  )
}
