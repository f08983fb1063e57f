'use client'

import { type FormEvent, useState } from 'react'
import { PickList } from '@/components/form/pick-list'
import { Button } from '@/components/ui/button'
import { Field, Input } from '@/components/ui/input'
import { Panel } from '@/components/ui/panel'
import { suggestSets } from '@/lib/domain/headroom/suggest-sets'
import type { GpuHeadroomDto, GpuHeadroomList } from '@/lib/schemas/api/gpu-headroom'
import { RESERVATION_METHODS } from './reservation-labels'
import { hostsOf, type ReservationParams, readIds } from './reservation-params'

/** A set of CPUs, a name or a number of the form. */
const TextField = ({
  name,
  label,
  help,
  value,
  onChange,
  isNumber = false,
}: {
  name: string
  label: string
  help?: string
  value: string
  onChange: (text: string) => void
  isNumber?: boolean
}) => (
  <div className="w-full max-w-[260px]">
    <Field id={`fence-${name}`} label={label} {...(help === undefined ? {} : { help })}>
      <Input
        id={`fence-${name}`}
        type={isNumber ? 'number' : 'text'}
        min={0}
        value={value}
        maxLength={1000}
        spellCheck={false}
        className="font-mono"
        onChange={(event) => onChange(event.target.value)}
        {...(help === undefined ? {} : { 'aria-describedby': `fence-${name}-note` })}
      />
    </Field>
  </div>
)

/** Whether ordinary servers leave. */
const MoveBox = ({ isOn, onChange }: { isOn: boolean; onChange: (isOn: boolean) => void }) => (
  <label className="flex items-baseline gap-2">
    <input type="checkbox" checked={isOn} onChange={(event) => onChange(event.target.checked)} />
    Migrate ordinary servers until one GPU server fits
  </label>
)

type FormProps = {
  params: ReservationParams
  headroom: GpuHeadroomDto
  data: GpuHeadroomList
  onChange: (input: Partial<ReservationParams>) => void
}

/** The default of the sets: CPUs for one server of the selected flavors. */
const suggestion = ({ params, headroom, data }: FormProps) => {
  const ids = readIds(params.flavors)
  const needs = (
    data.flavors.filter(({ id }) => ids.includes(id)).length > 0
      ? data.flavors.filter(({ id }) => ids.includes(id)).map((flavor) => flavor.needs)
      : headroom.flavors.map((flavor) => flavor.needs)
  ).map(({ VCPU, PCPU }) => VCPU + PCPU)
  const count = params.keep ?? (needs.length === 0 ? 2 : Math.min(...needs))
  return suggestSets(headroom.nodes ?? [], {
    count,
    usable: headroom.options === null ? null : (headroom.options.shared ?? headroom.options.pinSet),
    dedicated: headroom.options?.dedicated ?? null,
  })
}

const Flavors = ({
  props,
  chosen,
  onChoose,
}: {
  props: FormProps
  chosen: string[]
  onChoose: (ids: string[]) => void
}) => {
  const here = new Set(props.headroom.flavors.map(({ id }) => id))
  return (
    <div className="w-full max-w-[420px]">
      <PickList
        legend="GPU flavors"
        items={props.data.flavors.flatMap(({ id, name }) =>
          here.has(id) || chosen.includes(id) ? [{ value: id, label: name }] : [],
        )}
        chosen={chosen}
        onChoose={onChoose}
        empty="No flavor requests the GPUs of this host."
      />
    </div>
  )
}

/** Ids of the flavors whose servers may come to the host now. */
const openFlavors = ({ flavors }: GpuHeadroomDto): string[] =>
  flavors.filter(({ shutOut }) => shutOut === null).map(({ id }) => id)

const CpuFields = (props: FormProps) => {
  const { params, headroom, onChange } = props
  const suggested = suggestion(props)
  const [shared, setShared] = useState(params.shared || (suggested?.shared ?? ''))
  const [dedicated, setDedicated] = useState(params.dedicated || (suggested?.dedicated ?? ''))
  const [memory, setMemory] = useState(params.memory === null ? '' : String(params.memory))
  const [second, setSecond] = useState(params.second)
  const [flavors, setFlavors] = useState(
    params.flavors === '' ? openFlavors(headroom).slice(0, 1) : readIds(params.flavors),
  )
  const [isMoving, setIsMoving] = useState(params.move)
  const isSecond = params.way === 'second-service'
  const submit = (event: FormEvent) => {
    event.preventDefault()
    onChange({
      shared,
      dedicated,
      memory: /^\d+$/.test(memory) ? Number(memory) : null,
      flavors: JSON.stringify(flavors),
      move: isMoving,
      second: second.trim(),
    })
  }
  return (
    <form onSubmit={submit} className="flex flex-col gap-3">
      <div className="flex flex-wrap gap-x-4 gap-y-2">
        {isSecond ? (
          <TextField
            name="second"
            label="Host name of the second service"
            help={`[DEFAULT] host; empty: gpu-${params.host}`}
            value={second}
            onChange={setSecond}
          />
        ) : null}
        <TextField
          name="shared"
          label={isSecond ? 'CPUs of the first service' : 'CPUs that ordinary servers share'}
          help={isSecond ? 'vcpu_pin_set of nova.conf' : 'cpu_shared_set'}
          value={shared}
          onChange={setShared}
        />
        <TextField
          name="dedicated"
          label={isSecond ? 'CPUs of the second service' : 'CPUs reserved for GPU servers'}
          help={isSecond ? 'vcpu_pin_set of nova-gpu.conf' : 'cpu_dedicated_set'}
          value={dedicated}
          onChange={setDedicated}
        />
        <TextField
          name="memory"
          label={isSecond ? 'Memory of the second service, MiB' : 'Memory for the host itself, MiB'}
          help={
            isSecond
              ? 'The first service reserves this memory.'
              : 'reserved_host_memory_mb. Leave blank to keep the current value.'
          }
          value={memory}
          onChange={setMemory}
          isNumber
        />
      </div>
      {headroom.options?.pinSet == null ? null : (
        <p className="text-ink2">
          nova.conf still has the old{' '}
          <span className="font-mono text-small">vcpu_pin_set = {headroom.options.pinSet}</span>. CPUs that it
          does not list remain reserved for the host.
        </p>
      )}
      {isSecond ? null : (
        <>
          <Flavors props={props} chosen={flavors} onChoose={setFlavors} />
          <MoveBox isOn={isMoving} onChange={setIsMoving} />
        </>
      )}
      <div>
        <Button type="submit" variant="main">
          {isSecond ? 'Show effect' : 'Create plan'}
        </Button>
      </div>
    </form>
  )
}

const AggregateFields = (props: FormProps) => {
  const { params, headroom, data, onChange } = props
  const [hosts, setHosts] = useState(hostsOf(params))
  const [aggregate, setAggregate] = useState(params.aggregate)
  const [trait, setTrait] = useState(params.trait)
  const [flavors, setFlavors] = useState(
    params.flavors === '' ? openFlavors(headroom) : readIds(params.flavors),
  )
  const [isMoving, setIsMoving] = useState(params.move)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    onChange({
      hosts: hosts.filter((host) => host !== params.host).join(','),
      aggregate,
      trait,
      flavors: JSON.stringify(flavors),
      move: isMoving,
    })
  }
  return (
    <form onSubmit={submit} className="flex flex-col gap-3">
      <div className="flex flex-wrap gap-x-4 gap-y-2">
        <TextField name="trait" label="Trait of the hosts" value={trait} onChange={setTrait} />
        {params.way === 'isolated' ? (
          <TextField name="aggregate" label="Aggregate" value={aggregate} onChange={setAggregate} />
        ) : null}
      </div>
      <div className="flex flex-wrap gap-x-6 gap-y-3">
        <div className="w-full max-w-[420px]">
          <PickList
            legend="Hosts"
            items={data.hosts.map(({ host }) => ({ value: host, label: host }))}
            chosen={hosts}
            onChoose={(chosen) => setHosts([...new Set([params.host, ...chosen])])}
            empty="No host with a GPU reports."
          />
        </div>
        {params.way === 'isolated' ? <Flavors props={props} chosen={flavors} onChoose={setFlavors} /> : null}
      </div>
      <MoveBox isOn={isMoving} onChange={setIsMoving} />
      <div>
        <Button type="submit" variant="main">
          Create plan
        </Button>
      </div>
    </form>
  )
}

/** Which way, and what it takes. */
export const ReservationForm = (props: FormProps) => {
  const { params, onChange } = props
  return (
    <Panel>
      <fieldset className="m-0 mb-3 grid min-w-0 grid-cols-1 gap-2 border-0 p-0 md:grid-cols-2">
        <legend className="mb-1 font-[550] text-small">Method</legend>
        {RESERVATION_METHODS.map(({ way, title, what, cost }) => (
          <label
            key={way}
            className={`flex cursor-pointer items-baseline gap-2 rounded-control border px-2.5 py-2 ${params.way === way ? 'border-accent bg-sel' : 'border-line'}`}
          >
            <input
              type="radio"
              name="fence-way"
              value={way}
              checked={params.way === way}
              onChange={() => onChange({ way })}
            />
            <span className="min-w-0">
              <b className="font-semibold">{title}</b>
              <span className="block text-ink2 text-small">{what}</span>
              <span className="block text-ink3 text-small">{cost}</span>
            </span>
          </label>
        ))}
      </fieldset>
      {params.way === 'isolated' || params.way === 'forbidden' ? (
        <AggregateFields key={params.way} {...props} />
      ) : (
        <CpuFields key={params.way} {...props} />
      )}
    </Panel>
  )
}
