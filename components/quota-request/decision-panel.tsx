'use client'

import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { TimedText } from '@/components/shell/timed-text'
import { useRefusal } from '@/components/shell/use-refusal'
import { Button } from '@/components/ui/button'
import { described, Field, Input } from '@/components/ui/input'
import { Panel } from '@/components/ui/panel'
import { toast } from '@/components/ui/toast-store'
import { decideRequestOptions } from '@/lib/api/quota-requests'
import type { RequestDetail } from '@/lib/schemas/api/quota-request'
import type { DecideRequest } from '@/lib/schemas/api/quota-request-inputs'
import { dayOfUntil, untilOfDay } from './request-words'

type Problems = { value?: string; answer?: string }

const valueProblem = (text: string): string | undefined =>
  /^[1-9]\d{0,9}$/.test(text.trim()) ? undefined : 'A whole number from 1 on.'

/** Approve, with number and end date as asked or as the admin wants them, or decline with a text. */
export const DecisionPanel = ({ request }: { request: RequestDetail }) => {
  const [value, setValue] = useState(String(request.value))
  const [day, setDay] = useState(() => dayOfUntil(request.until))
  const [answer, setAnswer] = useState('')
  const [problems, setProblems] = useState<Problems>({})
  const decide = useMutation(decideRequestOptions({ id: request.id }))
  const refusal = useRefusal('quota-request.decide')
  const send = (body: DecideRequest, words: string) =>
    decide.mutate(body, { onSuccess: () => toast.done(words) })
  const approve = () => {
    const problem = valueProblem(value)
    setProblems(problem === undefined ? {} : { value: problem })
    if (problem !== undefined) return
    // A day that was not touched keeps its moment.
    const until = day === dayOfUntil(request.until) ? request.until : untilOfDay(day)
    send(
      { decision: 'approve', version: request.version, value: Number(value), until, answer },
      `Request ${request.id} is approved.`,
    )
  }
  const decline = () => {
    if (answer.trim() === '') return setProblems({ answer: 'Say why: the project reads it.' })
    setProblems({})
    send({ decision: 'decline', version: request.version, answer }, `Request ${request.id} is declined.`)
  }
  const isBusy = decide.isPending || refusal !== null
  return (
    <Panel title="Decide">
      <form className="flex flex-col gap-3" onSubmit={(event) => event.preventDefault()} noValidate>
        <div className="grid grid-cols-2 gap-3">
          <Field id="decide-value" label="New limit" help="All that it may use." error={problems.value}>
            <Input
              {...described('decide-value', problems.value)}
              value={value}
              inputMode="numeric"
              maxLength={10}
              onChange={(event) => setValue(event.target.value)}
            />
          </Field>
          <Field id="decide-until" label="Until" help="Empty: for good.">
            <Input
              {...described('decide-until')}
              type="date"
              value={day}
              onChange={(event) => setDay(event.target.value)}
            />
          </Field>
        </div>
        <Field
          id="decide-answer"
          label="What the project is told"
          help="Needed to decline."
          error={problems.answer}
        >
          <textarea
            rows={3}
            maxLength={1000}
            {...described('decide-answer', problems.answer)}
            value={answer}
            onChange={(event) => setAnswer(event.target.value)}
            className="w-full min-w-0 rounded-control border border-line bg-panel px-2.5 py-1.5 text-ink hover:border-edge aria-invalid:border-bad"
          />
        </Field>
        {decide.error === null ? null : (
          <p role="alert" className="text-bad">
            <TimedText text={decide.error.message} isWhole />
          </p>
        )}
        {refusal === null ? null : <p className="text-ink2">{refusal}</p>}
        <div className="flex flex-wrap gap-2">
          <Button variant="main" isUnavailable={isBusy} onClick={approve}>
            Approve
          </Button>
          <Button isUnavailable={isBusy} onClick={decline}>
            Decline
          </Button>
        </div>
        <p className="text-ink2">
          Approving writes the limit by a change with your sign-in, which can be rolled back. On the end date
          the console takes it back, if it is still what was granted.
        </p>
      </form>
    </Panel>
  )
}
