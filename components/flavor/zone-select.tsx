'use client'

import { useQueryStates } from 'nuqs'
import { fitSearchParams } from '@/components/fit/fit-search-params'
import { Select } from '@/components/ui/input'

/** A server may ask for one availability zone; where there is one only, there is nothing to choose. */
export const ZoneSelect = ({ zones }: { zones: readonly string[] }) => {
  const [{ zone }, setParams] = useQueryStates(fitSearchParams)
  if (zones.length < 2) return null
  return (
    <div className="mt-2.5 flex items-center gap-2">
      <label htmlFor="fit-zone" className="whitespace-nowrap text-small">
        Availability zone
      </label>
      <Select
        id="fit-zone"
        value={zone ?? ''}
        onChange={(event) => void setParams({ zone: event.target.value === '' ? null : event.target.value })}
      >
        <option value="">any</option>
        {zones.map((name) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
      </Select>
    </div>
  )
}
