'use client'

import { useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { useCloud } from '@/components/shell/use-cloud'
import { Field, Select } from '@/components/ui/input'
import { Panel } from '@/components/ui/panel'
import { ErrorState } from '@/components/ui/states'
import { testChoicesOptions } from '@/lib/api/changes'

/** Empty texts: not chosen yet; `null`: no test. */
export type TestBootInput = { flavor: string; image: string; networks: 'none' | 'auto' } | null

const Choice = ({
  label,
  value,
  options,
  onChange,
}: {
  label: string
  value: string
  options: readonly { id: string; name: string }[]
  onChange: (value: string) => void
}) => {
  const id = useId()
  return (
    <div className="w-full max-w-[320px]">
      <Field id={id} label={label}>
        <Select id={id} value={value} onChange={(event) => onChange(event.target.value)}>
          {options.map((option) => (
            <option key={option.id} value={option.id}>
              {option.name}
            </option>
          ))}
        </Select>
      </Field>
    </div>
  )
}

const NOT_CHOSEN = { id: '', name: 'Select one' }

const NETWORKS = [
  { id: 'none', name: 'No network' },
  { id: 'auto', name: 'A network of the project, chosen by Nova' },
] as const

const Choices = ({
  input,
  onChange,
}: {
  input: NonNullable<TestBootInput>
  onChange: (input: TestBootInput) => void
}) => {
  const { cloud } = useCloud()
  const { data, error, isFetching, refetch } = useQuery(testChoicesOptions({ cloud }))
  if (error !== null)
    return (
      <ErrorState
        title="Flavors and images could not be loaded"
        error={error}
        onRetry={() => void refetch()}
        isRetrying={isFetching}
      />
    )
  const set = (part: Partial<NonNullable<TestBootInput>>) => onChange({ ...input, ...part })
  return (
    <div className="mt-2 flex flex-wrap gap-x-6 gap-y-2">
      <Choice
        label="Flavor that requests the new type"
        value={input.flavor}
        options={[NOT_CHOSEN, ...(data?.flavors ?? [])]}
        onChange={(flavor) => set({ flavor })}
      />
      <Choice
        label="Image"
        value={input.image}
        options={[NOT_CHOSEN, ...(data?.images ?? [])]}
        onChange={(image) => set({ image })}
      />
      <Choice
        label="Network"
        value={input.networks}
        options={NETWORKS}
        onChange={(networks) => set({ networks: networks === 'auto' ? 'auto' : 'none' })}
      />
      {data?.imagesError == null ? null : (
        <p className="w-full text-warn wrap-anywhere">{data.imagesError}</p>
      )}
    </div>
  )
}

/** Whether a test server is booted on each host at the end, and of what. */
export const TestBootChoice = ({
  input,
  onChange,
}: {
  input: TestBootInput
  onChange: (input: TestBootInput) => void
}) => (
  <Panel>
    <label className="flex items-baseline gap-2">
      <input
        type="checkbox"
        checked={input !== null}
        onChange={(event) =>
          onChange(event.target.checked ? { flavor: '', image: '', networks: 'none' } : null)
        }
      />
      Create a test server on each host at the end
    </label>
    <p className="mt-1 max-w-[80ch] text-ink3 text-small">
      Nova does not schedule servers on a disabled host, so the test runs after the host is enabled. The test
      server is always deleted. If it does not start with a vGPU of the new type, scheduling is disabled
      again.
    </p>
    {input === null ? null : <Choices input={input} onChange={onChange} />}
  </Panel>
)
