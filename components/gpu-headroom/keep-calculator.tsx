'use client'

import { useQueryStates } from 'nuqs'
import { useState } from 'react'
import { PlanLink } from '@/components/change/plan-link'
import { LongSelect, type SelectItem } from '@/components/form/long-select'
import { useCloud } from '@/components/shell/use-cloud'
import { Button } from '@/components/ui/button'
import { Input } from '@/components/ui/input'
import { Panel } from '@/components/ui/panel'
import { SideScroll } from '@/components/ui/side-scroll'
import { Table, Td, Th, Tr } from '@/components/ui/table'
import type { GpuHeadroomList } from '@/lib/schemas/api/gpu-headroom'
import { formatNoun } from '@/lib/util/format'
import { newReservationPath } from '@/lib/util/paths'
import { amountText, needsText, PLAIN_LABELS } from './headroom-labels'
import { gpuHeadroomParams, type KeepLine, keepLines, readKeep, type Wanted, writeKeep } from './keep-params'

const Lines = ({ lines, hosts }: { lines: readonly KeepLine[]; hosts: number }) => (
  <SideScroll>
    <Table aria-label="Required reservation">
      <thead>
        <tr>
          <Th>Class</Th>
          <Th isNumber>Required</Th>
          <Th isNumber>Free now</Th>
          <Th isNumber>Missing</Th>
          {hosts > 1 ? <Th isNumber>Per host</Th> : null}
        </tr>
      </thead>
      <tbody>
        {lines.map(({ name, needed, free, perHost }) => (
          <Tr key={name}>
            <Td>{PLAIN_LABELS[name]}</Td>
            <Td isNumber className="font-[550]">
              {amountText(name, needed)}
            </Td>
            <Td isNumber>{amountText(name, free)}</Td>
            <Td isNumber className={needed > free ? 'text-warn' : 'text-ink3'}>
              {needed > free ? amountText(name, needed - free) : '–'}
            </Td>
            {hosts > 1 ? <Td isNumber>{amountText(name, perHost)}</Td> : null}
          </Tr>
        ))}
      </tbody>
    </Table>
  </SideScroll>
)

const WantedRow = ({
  wanted,
  data,
  onChange,
}: {
  wanted: Wanted
  data: GpuHeadroomList
  onChange: (count: number) => void
}) => {
  const flavor = data.flavors.find(({ id }) => id === wanted.id)
  return (
    <li className="flex flex-wrap items-baseline gap-2">
      <Input
        type="number"
        min={0}
        max={9999}
        className="!w-20"
        aria-label={`Servers of ${flavor?.name ?? wanted.id}`}
        value={wanted.count}
        onChange={(event) =>
          onChange(Math.max(0, Math.min(9999, Math.floor(Number(event.target.value) || 0))))
        }
      />
      <span className="font-[550] wrap-anywhere">{flavor?.name ?? wanted.id}</span>
      <span className="text-ink2 text-small">
        {flavor === undefined ? 'This GPU flavor no longer exists' : needsText(flavor.needs)}
      </span>
    </li>
  )
}

/** Hosts are those of the list above, which its filter narrows. */
const selectItems = ({ aggregates, hosts }: GpuHeadroomList, on: string): SelectItem[] => {
  const listed = hosts.map(({ host }) => `host:${host}`)
  return [
    ...aggregates.map((name) => ({ value: `aggregate:${name}`, label: name, group: 'Aggregates' })),
    ...[...listed, ...(on.startsWith('host:') && !listed.includes(on) ? [on] : [])].map((value) => ({
      value,
      label: value.slice('host:'.length),
      group: 'Listed hosts',
    })),
  ]
}

/** From GPU flavors and their expected number to what must be kept; the address holds it. */
export const KeepCalculator = ({ data }: { data: GpuHeadroomList }) => {
  const { cloud } = useCloud()
  const [{ keep, on }, setParams] = useQueryStates(gpuHeadroomParams)
  const [chosen, setChosen] = useState('')
  const wanted = readKeep(keep)
  const { selection } = data
  const lines = keepLines(data, wanted)
  const set = (id: string, count: number) =>
    void setParams({
      keep: writeKeep(
        wanted.some((one) => one.id === id)
          ? wanted.map((one) => (one.id === id ? { id, count } : one))
          : [...wanted, { id, count }],
      ),
    })
  const cpus = lines.find(({ name }) => name === 'PCPU') ?? lines.find(({ name }) => name === 'VCPU')
  return (
    <Panel title="Required reservation" note="for the GPU servers that you expect">
      <div className="mb-3 flex flex-wrap items-end gap-x-4 gap-y-2">
        <div className="w-full max-w-[260px]">
          <LongSelect
            id="keep-on"
            label="On"
            items={selectItems(data, on)}
            value={on}
            none="all GPU hosts"
            onChoose={(value) => void setParams({ on: value })}
          />
        </div>
        <div className="w-full max-w-[260px]">
          <LongSelect
            id="keep-flavor"
            label="GPU flavor"
            items={data.flavors.map(({ id, name }) => ({ value: id, label: name }))}
            value={chosen}
            none="Select a flavor"
            onChoose={setChosen}
          />
        </div>
        <Button
          isUnavailable={chosen === '' || wanted.some(({ id }) => id === chosen)}
          onClick={() => set(chosen, 1)}
        >
          Add flavor
        </Button>
      </div>
      {wanted.length === 0 ? (
        <p className="text-ink2">Add the GPU flavors that need guaranteed capacity.</p>
      ) : (
        <ul className="mb-3 flex flex-col gap-1.5">
          {wanted.map((one) => (
            <WantedRow key={one.id} wanted={one} data={data} onChange={(count) => set(one.id, count)} />
          ))}
        </ul>
      )}
      {lines.length === 0 ? null : (
        <>
          <Lines lines={lines} hosts={selection.hosts} />
          <p className="mt-2 text-ink2">
            {selection.hosts === 0
              ? 'No GPU host is in this aggregate.'
              : `Sum over ${formatNoun(selection.hosts, 'host')}. A server needs all resources on one host, so the free capacity may be fragmented.`}
          </p>
          {selection.host !== null && cpus !== undefined ? (
            <p className="mt-2">
              <PlanLink
                href={newReservationPath({
                  cloud,
                  host: selection.host,
                  search: { keep: String(cpus.needed), flavors: JSON.stringify(wanted.map(({ id }) => id)) },
                })}
                size="small"
              >
                {`Reserve capacity on ${selection.host}`}
              </PlanLink>
            </p>
          ) : null}
        </>
      )}
    </Panel>
  )
}
