import { useState } from 'react'
import { PickList } from '@/components/form/pick-list'
import { described, Field, Input, Select, Textarea } from '@/components/ui/input'
import type { FlavorOffers } from '@/lib/schemas/api/flavor-offer'
import type { InputProblems, NewFlavorInput } from './flavor-input'

const NEW = ' new'

type Tie = Pick<NewFlavorInput, 'aggregate' | 'hosts' | 'properties'>
type Aggregates = NonNullable<FlavorOffers['aggregates']>

/** Flavors that are tied to it do not ask for these. */
const OWN_PROPERTIES = ['availability_zone', 'group_policy']

const propertiesOf = (aggregates: Aggregates, name: string): string =>
  aggregates
    .find((aggregate) => aggregate.name === name)
    ?.properties.filter(({ key }) => !OWN_PROPERTIES.includes(key))
    .map(({ key, value }) => `${key}=${value}`)
    .join('\n') ?? ''

const Details = ({
  offers,
  input,
  problems,
  onChange,
}: {
  offers: FlavorOffers
  input: Tie
  problems: Pick<InputProblems, 'properties'>
  onChange: (tie: Partial<Tie>) => void
}) => {
  const inIt = new Set(offers.aggregates?.find(({ name }) => name === input.aggregate)?.hosts ?? [])
  return (
    <div className="grid grid-cols-1 gap-x-6 gap-y-2 md:grid-cols-2">
      <PickList
        legend="Hosts to add"
        items={offers.hosts.filter((host) => !inIt.has(host)).map((host) => ({ value: host, label: host }))}
        chosen={input.hosts.filter((host) => !inIt.has(host))}
        onChoose={(hosts) => onChange({ hosts })}
        empty="Every host with GPUs is already in the aggregate."
      />
      <Field
        id="aggregate-properties"
        label="Aggregate metadata required by flavors"
        help="Enter one key=value per line. Nova uses it only if AggregateInstanceExtraSpecsFilter is enabled in nova-scheduler."
        error={problems.properties}
      >
        <Textarea
          {...described('aggregate-properties', problems.properties)}
          rows={3}
          value={input.properties}
          maxLength={4000}
          placeholder="gpu=true"
          onChange={(event) => onChange({ properties: event.target.value })}
        />
      </Field>
    </div>
  )
}

/** The aggregate of the flavors: none, an existing one, or a new one. */
export const AggregateChoice = (props: {
  offers: FlavorOffers
  input: Tie
  problems: Pick<InputProblems, 'properties'>
  onChange: (tie: Partial<Tie>) => void
}) => {
  const { offers, input, onChange } = props
  const aggregates = offers.aggregates ?? []
  const isListed = aggregates.some(({ name }) => name === input.aggregate)
  const [isNew, setIsNew] = useState(input.aggregate !== '' && !isListed)
  const choose = (value: string) => {
    setIsNew(value === NEW)
    const aggregate = value === NEW ? '' : value
    const properties = value === NEW ? 'gpu=true' : propertiesOf(aggregates, value)
    onChange({ aggregate, hosts: [], properties })
  }
  return (
    <div className="flex flex-col gap-2">
      <div className="flex flex-wrap items-start gap-x-6 gap-y-2">
        <div className="w-full max-w-[300px]">
          <Field
            id="aggregate"
            label="Aggregate"
            help="Servers of the flavor run only on hosts of this aggregate."
          >
            <Select
              {...described('aggregate')}
              value={isNew ? NEW : input.aggregate}
              onChange={(event) => choose(event.target.value)}
            >
              <option value="">none</option>
              {aggregates.map(({ name }) => (
                <option key={name} value={name}>
                  {name}
                </option>
              ))}
              <option value={NEW}>new aggregate…</option>
            </Select>
          </Field>
        </div>
        {isNew ? (
          <div className="w-full max-w-[300px]">
            <Field id="aggregate-name" label="Name of the new aggregate">
              <Input
                id="aggregate-name"
                value={input.aggregate}
                maxLength={255}
                spellCheck={false}
                onChange={(event) => onChange({ aggregate: event.target.value })}
              />
            </Field>
          </div>
        ) : null}
      </div>
      {isNew || input.aggregate !== '' ? <Details {...props} /> : null}
    </div>
  )
}
