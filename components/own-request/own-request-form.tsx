'use client'

import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { className, limitWords } from '@/components/quota/quota-words'
import { untilOfDay } from '@/components/quota-request/request-words'
import { Button } from '@/components/ui/button'
import { described, Field, Input, Select } from '@/components/ui/input'
import { Panel } from '@/components/ui/panel'
import { toast } from '@/components/ui/toast-store'
import { ApiError, invalidFields } from '@/lib/api/client'
import { makeRequestOptions } from '@/lib/api/own-requests'
import type { OwnRequestList } from '@/lib/schemas/api/quota-request'

type Class = NonNullable<OwnRequestList['classes']>[number]
type Problems = Partial<Record<'resourceName' | 'value' | 'until' | 'reason' | 'root', string>>

const nowWords = (found: Class | undefined): string => {
  if (found === undefined) return ''
  const words = found.limit === null ? null : limitWords(found.limit)
  return words === null ? 'The current limit has not been read yet.' : `Current limit: ${words}`
}

const problemsOf = ({ value, reason }: { value: string; reason: string }): Problems => ({
  ...(/^[1-9]\d{0,9}$/.test(value.trim()) ? {} : { value: 'Enter a whole number of at least 1.' }),
  ...(reason.trim() === '' ? { reason: 'Enter the use case. Admins review it.' } : {}),
})

const FIELDS = ['resourceName', 'value', 'until', 'reason']

/** The server's errors by field. */
const refusalOf = (err: Error): Problems => {
  const fields = (err instanceof ApiError ? invalidFields(err) : []).filter(({ field }) =>
    FIELDS.includes(field),
  )
  return fields.length === 0
    ? { root: err.message }
    : Object.fromEntries(fields.map(({ field, message }) => [field, message]))
}

/** Requests a higher limit from the admins of the cloud. */
export const OwnRequestForm = ({ classes, first }: { classes: readonly Class[]; first: string | null }) => {
  const [resourceName, setResourceName] = useState(
    () => (classes.find((each) => each.resourceName === first) ?? classes[0])?.resourceName ?? '',
  )
  const [value, setValue] = useState('')
  const [day, setDay] = useState('')
  const [reason, setReason] = useState('')
  const [problems, setProblems] = useState<Problems>({})
  const make = useMutation(makeRequestOptions())
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const found = problemsOf({ value, reason })
    setProblems(found)
    if (Object.keys(found).length > 0 || make.isPending) return
    make.mutate(
      { resourceName, value: Number(value), until: untilOfDay(day), reason },
      {
        onSuccess: ({ number }) => {
          toast.done(`Request ${number} is sent.`)
          setValue('')
          setReason('')
          setDay('')
        },
        onError: (err) => setProblems(refusalOf(err)),
      },
    )
  }
  return (
    <Panel title="Request quota">
      <form className="flex flex-col gap-3" onSubmit={submit} noValidate>
        <Field
          id="ask-class"
          label="Kind of GPU"
          help={nowWords(classes.find((each) => each.resourceName === resourceName))}
          error={problems.resourceName}
        >
          <Select
            {...described('ask-class', problems.resourceName)}
            value={resourceName}
            onChange={(event) => setResourceName(event.target.value)}
          >
            {classes.map((each) => (
              <option key={each.resourceName} value={each.resourceName}>
                {className(each.resourceName)}
              </option>
            ))}
          </Select>
        </Field>
        <div className="grid grid-cols-2 gap-3">
          <Field id="ask-value" label="New limit" help="Total for the project." error={problems.value}>
            <Input
              {...described('ask-value', problems.value)}
              value={value}
              inputMode="numeric"
              maxLength={10}
              autoComplete="off"
              onChange={(event) => setValue(event.target.value)}
            />
          </Field>
          <Field
            id="ask-until"
            label="Until"
            help="Leave blank for a permanent limit."
            error={problems.until}
          >
            <Input
              {...described('ask-until', problems.until)}
              type="date"
              value={day}
              onChange={(event) => setDay(event.target.value)}
            />
          </Field>
        </div>
        <Field id="ask-reason" label="Use case" error={problems.reason} help="Shown to admins.">
          <textarea
            rows={3}
            maxLength={1000}
            {...described('ask-reason', problems.reason)}
            value={reason}
            onChange={(event) => setReason(event.target.value)}
            className="w-full min-w-0 rounded-control border border-line bg-panel px-2.5 py-1.5 text-ink hover:border-edge aria-invalid:border-bad"
          />
        </Field>
        {problems.root === undefined ? null : (
          <p role="alert" className="text-bad">
            {problems.root}
          </p>
        )}
        <div>
          <Button type="submit" variant="main" isUnavailable={make.isPending}>
            {make.isPending ? 'Sending' : 'Send request'}
          </Button>
        </div>
      </form>
    </Panel>
  )
}
