'use client'

import { useInfiniteQuery } from '@tanstack/react-query'
import { parseAsJson, parseAsString, useQueryStates } from 'nuqs'
import { type FormEvent, type ReactNode, useState } from 'react'
import * as z from 'zod/mini'
import { ConfigTabs } from '@/components/change/config-texts'
import { PlanView } from '@/components/change/plan-view'
import { PlannedSteps } from '@/components/change/planned-steps'
import { NotReadYet } from '@/components/cloud/not-read-yet'
import { StaleBanner } from '@/components/cloud/stale-banner'
import { SETTLED_MS, useSettled } from '@/components/gpus/use-settled'
import { LimitMeaning } from '@/components/quota/limit-meaning'
import { type Loaded, LoadProblem } from '@/components/shell/load-problem'
import { PageHeader } from '@/components/shell/page-header'
import { useCloud } from '@/components/shell/use-cloud'
import { Button } from '@/components/ui/button'
import { CommandLine } from '@/components/ui/command-line'
import { described, Field, Input } from '@/components/ui/input'
import { Panel } from '@/components/ui/panel'
import { SkeletonRows } from '@/components/ui/skeleton'
import { EmptyState } from '@/components/ui/states'
import { Tag } from '@/components/ui/tag'
import { limitSetUpOptions } from '@/lib/api/quotas'
import type { PlanLimits } from '@/lib/schemas/api/limit-change-input'
import type { LimitSetUp, SetUpFact } from '@/lib/schemas/api/limit-set-up'
import { formatCount, formatNoun } from '@/lib/util/format'
import { DriverAnswer } from './driver-answer'
import { DryRunPanel } from './dry-run-panel'
import { NeededPanel } from './needed-panel'
import { ProjectsPanel } from './projects-panel'
import {
  badNames,
  planOfSetUp,
  proposedInput,
  type SetUpInput,
  setUpInputSchema,
  withProject,
  withText,
} from './set-up-input'

type NovaUser = { user: string; domain: string }

/** Characters that the API accepts. */
const MAX_LENGTH = { user: 255, domain: 64 } as const

/** What is wrong with each field; undefined: nothing. */
const novaUserProblems = ({ user, domain }: NovaUser) => ({
  user:
    user.trim().length > MAX_LENGTH.user
      ? `A user name has at most ${MAX_LENGTH.user} characters.`
      : undefined,
  domain:
    domain.trim().length > MAX_LENGTH.domain
      ? `A domain ID has at most ${MAX_LENGTH.domain} characters.`
      : undefined,
})

/** Nova's user in Keystone, where it has another name than `nova` or several domains have a user of that name. */
const NovaUserForm = ({
  given,
  isChecking,
  onGiven,
}: {
  given: NovaUser
  isChecking: boolean
  onGiven: (novaUser: NovaUser) => void
}) => {
  const [{ user, domain }, setText] = useState(given)
  const problems = novaUserProblems({ user, domain })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (problems.user === undefined && problems.domain === undefined)
      onGiven({ user: user.trim(), domain: domain.trim() })
  }
  return (
    <form onSubmit={submit} className="mt-1.5 flex flex-wrap items-end gap-x-3 gap-y-2">
      <Field id="nova-user" label="Nova’s user in Keystone" error={problems.user}>
        <Input
          {...described('nova-user', problems.user)}
          value={user}
          onChange={(event) => setText({ domain, user: event.target.value })}
        />
      </Field>
      <Field id="nova-user-domain" label="Domain ID (optional)" error={problems.domain}>
        <Input
          {...described('nova-user-domain', problems.domain)}
          value={domain}
          onChange={(event) => setText({ user, domain: event.target.value })}
        />
      </Field>
      <Button type="submit" isUnavailable={isChecking}>
        {isChecking ? 'Checking' : 'Check this user'}
      </Button>
    </form>
  )
}

const STATES = {
  good: { word: 'done', tone: 'quiet' },
  open: { word: 'to do', tone: 'warn' },
  unknown: { word: 'unknown', tone: 'accent' },
} as const

/** The state of the cloud: each fact with its evidence, or the command to check it. */
const FactsPanel = ({
  facts,
  novaUser,
}: {
  facts: readonly SetUpFact[]
  /** Below the fact about Nova's user. */
  novaUser: ReactNode
}) => (
  <Panel title="1. Current state">
    <dl className="grid grid-cols-1 gap-x-4 gap-y-2.5 md:grid-cols-[170px_minmax(0,1fr)]">
      {facts.map(({ id, title, state, reported, check }) => (
        <div key={id} className="contents">
          <dt className="flex items-baseline gap-2 font-[550] max-md:mt-1">
            {title} <Tag tone={STATES[state].tone}>{STATES[state].word}</Tag>
          </dt>
          <dd className="m-0 min-w-0 wrap-anywhere">
            <p className="max-w-[100ch]">{reported.replace(/\.$/, '')}.</p>
            {check === null ? null : (
              <div className="mt-1">
                <p className="mb-0.5 text-ink3 text-small">To check:</p>
                <CommandLine command={check} />
              </div>
            )}
            {id === 'driver' ? <DriverAnswer /> : null}
            {id === 'role' ? novaUser : null}
          </dd>
        </div>
      ))}
    </dl>
  </Panel>
)

const setUpParams = {
  user: parseAsString.withDefault(''),
  domain: parseAsString.withDefault(''),
  flavor: parseAsString.withDefault(''),
  /** What was planned last. */
  input: parseAsJson((value: unknown): SetUpInput | null => {
    const parsed = z.safeParse(setUpInputSchema, value)
    return parsed.success ? parsed.data : null
  }),
}

const Plan = ({ input }: { input: PlanLimits }) => (
  <PlanView
    input={input}
    main={({ preview, ...plan }) => (
      <>
        {plan.stepCount === 0 ? (
          <EmptyState title="No changes needed">
            Keystone has all limits that Nova needs. Configure nova.conf next, see below.
          </EmptyState>
        ) : (
          <PlannedSteps plan={plan} />
        )}
        {preview.limitChange.configs.length === 0 ? null : (
          <Panel title="Configure nova-api and nova-conductor" note="after Keystone has the limits">
            <ConfigTabs configs={preview.limitChange.configs} />
          </Panel>
        )}
      </>
    )}
    side={({ preview }) => <LimitMeaning change={preview.limitChange} />}
  />
)

const whatItDoes = ({ facts, user }: LimitSetUp): string =>
  facts.every(({ state }) => state === 'good')
    ? 'Nova already uses these limits. The plan contains only your changes above.'
    : `The plan registers the defaults, creates the project limits, and allows ${user} to read them. Nova uses its own quotas until nova.conf is changed.`

const Assistant = ({
  setUp,
  query: { isFetching, refetch },
  list,
}: {
  setUp: LimitSetUp
  query: Pick<Loaded, 'isFetching' | 'refetch'>
  list: Pick<Parameters<typeof ProjectsPanel>[0], 'pages' | 'q' | 'onSearch' | 'onMore'>
}) => {
  const { cloud } = useCloud()
  const [params, setParams] = useQueryStates(setUpParams)
  const [edited, setInput] = useState(params.input)
  // What is proposed can change while projects are still being read.
  const input = edited ?? proposedInput(setUp)
  const bad = badNames(input)
  const { projects, reading } = setUp.counts
  return (
    <div className="flex flex-col gap-3">
      <FactsPanel
        facts={setUp.facts}
        novaUser={
          <NovaUserForm
            key={JSON.stringify([params.user, params.domain])}
            given={{ user: params.user || setUp.user, domain: params.domain }}
            isChecking={isFetching}
            onGiven={(given) =>
              given.user === (params.user || setUp.user) && given.domain === params.domain
                ? void refetch()
                : void setParams(given)
            }
          />
        }
      />
      <NeededPanel
        needed={setUp.needed}
        input={input}
        onText={(name, text) => setInput(withText(input, name, text))}
      />
      <ProjectsPanel
        setUp={setUp}
        {...list}
        input={input}
        onToggle={(projectId, isIn) => setInput(withProject(input, projectId, isIn))}
      />
      <Panel title="4. Create the limits">
        {setUp.strayCount === 0 ? null : (
          <label className="mb-2.5 flex items-baseline gap-2" htmlFor="remove-strays">
            <input
              id="remove-strays"
              type="checkbox"
              checked={input.removesStrays === true}
              onChange={(event) => setInput({ ...input, removesStrays: event.target.checked })}
            />
            <span>
              Delete {formatNoun(setUp.strayCount, 'limit')} without a region, which Nova does not use. A
              rollback recreates them.
            </span>
          </label>
        )}
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
          <Button
            variant="main"
            isUnavailable={bad.length > 0 || reading > 0}
            onClick={() => void setParams({ input })}
          >
            Create plan
          </Button>
          <p className={bad.length === 0 ? 'text-ink2' : 'text-bad'}>
            {bad.length > 0
              ? `Enter a whole number of at least -1 for: ${bad.join(', ')}.`
              : reading > 0
                ? `${formatCount(projects - reading)} of ${formatNoun(projects, 'project')} read.`
                : whatItDoes(setUp)}
          </p>
        </div>
      </Panel>
      {params.input === null ? null : <Plan input={planOfSetUp(cloud, setUp, params.input)} />}
      <DryRunPanel
        setUp={setUp}
        flavor={params.flavor}
        onFlavor={(flavor) => void setParams({ flavor: flavor === '' ? null : flavor })}
      />
    </div>
  )
}

/**
 * The way from a cloud without unified limits to one in which Nova counts GPUs: what exists, what is missing, and the
 * change that writes it.
 */
export const SetUpPage = () => {
  const { cloud } = useCloud()
  const [{ user, domain, flavor }] = useQueryStates(setUpParams)
  // A link may have values that the API refuses: the form then states the problem.
  const problems = novaUserProblems({ user, domain })
  const [search, setSearch] = useState('')
  const q = useSettled(search, SETTLED_MS)
  const query = useInfiniteQuery(
    limitSetUpOptions({
      q,
      cloud,
      user: problems.user === undefined ? user || null : null,
      domain: problems.domain === undefined ? domain || null : null,
      flavor: flavor || null,
    }),
  )
  const { error, isPending, hasNextPage, fetchNextPage } = query
  const pages = query.data?.pages ?? []
  const [data] = pages
  return (
    <>
      <PageHeader
        title="Set up unified limits"
        sub={data === undefined || data.region === null ? undefined : `region ${data.region}`}
      />
      <LoadProblem query={query} what="The setup" />
      {isPending && error === null ? <SkeletonRows rows={10} label="Loading the setup" /> : null}
      {data === undefined ? null : !data.isRead ? (
        <NotReadYet source="This page uses Keystone’s limits and Nova’s quotas." />
      ) : data.because !== null ? (
        <EmptyState title="The current state is unknown">{data.because}.</EmptyState>
      ) : (
        <>
          <StaleBanner />
          <Assistant
            setUp={data}
            query={query}
            list={{
              pages,
              q: search,
              onSearch: setSearch,
              onMore: hasNextPage ? () => void fetchNextPage() : null,
            }}
          />
        </>
      )}
    </>
  )
}
