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
  /^[1-9]\d{0,9}$/.test(text.trim()) ? undefined : 'Enter a whole number of at least 1.'

/** Approves a request, with its own or other values, or declines it with a text. */
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
    // An unchanged day keeps its time.
    const until = day === dayOfUntil(request.until) ? request.until : untilOfDay(day)
    send(
      { decision: 'approve', version: request.version, value: Number(value), until, answer },
      `Request ${request.id} is approved.`,
    )
  }
  const decline = () => {
    if (answer.trim() === '') return setProblems({ answer: 'Enter the reason. The project sees it.' })
    setProblems({})
    send({ decision: 'decline', version: request.version, answer }, `Request ${request.id} is declined.`)
  }
  const isBusy = decide.isPending || refusal !== null
  return (
    <Panel title="Review">
      <form className="flex flex-col gap-3" onSubmit={(event) => event.preventDefault()} noValidate>
        <div className="grid grid-cols-2 gap-3">
          <Field id="decide-value" label="New limit" help="Total for the project." error={problems.value}>
            <Input
              {...described('decide-value', problems.value)}
              value={value}
              inputMode="numeric"
              maxLength={10}
              onChange={(event) => setValue(event.target.value)}
            />
          </Field>
          <Field id="decide-until" label="Until" help="Leave blank for a permanent limit.">
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
          label="Answer to the project"
          help="Required to decline."
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
          Approving starts a change that sets the limit with your sign-in. You can roll it back. On the end
          date the console reverts the limit, unless it was changed in the meantime.
        </p>
      </form>
    </Panel>
  )
}
