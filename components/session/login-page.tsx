'use client'

import { useMutation } from '@tanstack/react-query'
import dynamic from 'next/dynamic'
import { useState } from 'react'
import { flushSync } from 'react-dom'
import { useForm } from 'react-hook-form'
import { showServerError } from '@/components/form/show-server-error'
import { Logo } from '@/components/shell/logo'
import { ThemeSwitch } from '@/components/shell/theme-switch'
import { Button } from '@/components/ui/button'
import { described, Field, Input, Select } from '@/components/ui/input'
import { ApiError } from '@/lib/api/client'
import { signInOptions } from '@/lib/api/session'
import type { SignInOptions } from '@/lib/schemas/api/session'
import type { SignInInput } from '@/lib/schemas/api/session-inputs'
import { SIGN_IN_LENGTHS } from '@/lib/schemas/choices'
import { apiPaths } from '@/lib/util/paths'

/** The second step. */
const ChooseScopeStep = dynamic(() => import('./choose-scope-step').then((module) => module.ChooseScopeStep))
const OtherAccountButton = dynamic(() =>
  import('./choose-scope-step').then((module) => module.OtherAccountButton),
)

const fields = ['cloud', 'domain', 'name', 'password', 'passcode'] as const
type FieldName = (typeof fields)[number]

/** The rules of the server's `signInSchema`: with zod this page's script would be a quarter larger. */
const ruleOf = (name: FieldName) => ({
  ...(name === 'passcode' ? {} : { required: 'must not be empty' }),
  maxLength: {
    value: SIGN_IN_LENGTHS[name],
    message: `must have at most ${SIGN_IN_LENGTHS[name]} characters`,
  },
})

const SsoLinks = ({
  providers,
  cloud,
  next,
}: {
  providers: readonly string[]
  cloud: string
  next: string
}) =>
  providers.length === 0 ? null : (
    <div className="flex flex-col gap-2.5">
      <p className="flex items-center gap-3 text-ink3 text-small before:h-px before:flex-1 before:bg-line after:h-px after:flex-1 after:bg-line">
        or
      </p>
      {providers.map((provider) => (
        <a
          key={provider}
          href={apiPaths.webSso({ cloud, provider, next })}
          className="flex h-9 items-center justify-center rounded-control border border-line bg-panel font-[550] hover:border-edge"
        >
          {provider}
        </a>
      ))}
    </div>
  )

/** Name, password and domain of a Keystone account; the cloud where there are several. */
const SignInForm = ({
  options,
  next,
  onSignedIn,
}: {
  options: SignInOptions
  next: string
  onSignedIn: (isScoped: boolean) => void
}) => {
  // Keystone requests a code only after the password.
  const [wantsCode, setWantsCode] = useState(false)
  const form = useForm<SignInInput>({
    defaultValues: {
      cloud: options.clouds[0]?.name ?? '',
      domain: 'Default',
      name: '',
      password: '',
      passcode: '',
    },
  })
  const signIn = useMutation(signInOptions())
  const { errors } = form.formState
  const submit = form.handleSubmit((values) =>
    signIn.mutate(values, {
      onSuccess: ({ isScoped }) => onSignedIn(isScoped),
      onError: (err) => {
        const field = err instanceof ApiError ? err.field : null
        if (field === 'password') form.resetField('password')
        if (field === 'passcode') {
          form.resetField('passcode')
          // Drawn before the focus is set.
          flushSync(() => setWantsCode(true))
        }
        showServerError(form, fields, err)
      },
    }),
  )
  const control = (name: FieldName) => ({
    ...form.register(name, ruleOf(name)),
    ...described(`sign-in-${name}`, errors[name]?.message),
    className: 'h-9',
  })
  const isBusy = signIn.isPending || signIn.isSuccess
  return (
    <form onSubmit={(event) => void submit(event)} noValidate className="flex flex-col gap-3.5">
      {options.clouds.length < 2 ? null : (
        <Field id="sign-in-cloud" label="Cloud" error={errors.cloud?.message}>
          <Select {...control('cloud')}>
            {options.clouds.map(({ name, region }) => (
              <option key={name} value={name}>
                {region === null ? name : `${name} (${region})`}
              </option>
            ))}
          </Select>
        </Field>
      )}
      <Field id="sign-in-name" label="Name" error={errors.name?.message}>
        <Input
          {...control('name')}
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          autoFocus
        />
      </Field>
      <Field id="sign-in-password" label="Password" error={errors.password?.message}>
        <Input {...control('password')} type="password" autoComplete="current-password" />
      </Field>
      {wantsCode ? (
        <Field id="sign-in-passcode" label="One-time code" error={errors.passcode?.message}>
          <Input
            {...control('passcode')}
            inputMode="numeric"
            autoComplete="one-time-code"
            spellCheck={false}
          />
        </Field>
      ) : null}
      <Field id="sign-in-domain" label="Domain" error={errors.domain?.message}>
        <Input {...control('domain')} autoComplete="organization" autoCapitalize="none" spellCheck={false} />
      </Field>
      {errors.root?.message === undefined ? null : (
        <p role="alert" className="rounded-control border border-bad bg-bad2 px-3 py-2 text-ink">
          {errors.root.message}
        </p>
      )}
      <Button type="submit" variant="main" className="mt-1 h-9" isUnavailable={isBusy}>
        {isBusy ? 'Signing in' : 'Sign in'}
      </Button>
      <SsoLinks providers={options.webSso} cloud={form.watch('cloud')} next={next} />
    </form>
  )
}

const ROWS = 11
const WIDTH = 640
const ROW_HEIGHT = 46

/** How each card is cut, as shares of its width; the same picture every time. */
const CUTS: readonly (readonly number[])[] = [
  [4, 4, 4, 4],
  [8, 8],
  [2, 2, 2, 2, 2, 2, 2, 2],
  [16],
  [4, 4, 8],
  [1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1],
]

const FILLS = [
  'fill-accent',
  'fill-accent',
  'fill-accent',
  'fill-accent2',
  'fill-accent2',
  'fill-cell',
] as const

type Slice = { key: string; x: number; y: number; width: number; fill: string }

const slices = Array.from({ length: ROWS }, (_none, row) => {
  const cuts = CUTS[(row * 5) % CUTS.length] ?? []
  return cuts.map((share, slice): Slice => {
    const before = cuts.slice(0, slice).reduce((sum, one) => sum + one, 0)
    return {
      key: `${row}-${slice}`,
      x: (before / 16) * WIDTH,
      y: row * ROW_HEIGHT,
      width: (share / 16) * WIDTH - 4,
      fill: FILLS[(row * 7 + slice * 5 + ((row * slice) % 3)) % FILLS.length] ?? 'fill-cell',
    }
  })
}).flat()

/** Cards and their slices, as ornament. */
const SlicedCards = () => (
  <div aria-hidden="true" className="relative overflow-hidden border-line border-l bg-panel max-lg:hidden">
    <svg
      aria-hidden="true"
      viewBox={`0 0 ${WIDTH} ${ROWS * ROW_HEIGHT}`}
      preserveAspectRatio="xMidYMid slice"
      className="absolute inset-0 size-full -rotate-6 scale-125 opacity-80"
    >
      {slices.map(({ key, fill, ...box }) => (
        <rect key={key} {...box} height={ROW_HEIGHT - 12} rx="5" className={fill} />
      ))}
    </svg>
  </div>
)

type Step = 'sign-in' | 'choose'

const titles: Record<Step, { title: string; sub: string }> = {
  'sign-in': { title: 'Sign in', sub: 'Use your account of the cloud.' },
  choose: {
    title: 'Select a project or the system',
    sub: 'Your roles there determine what you can see and do.',
  },
}

/** Signs in, selects a project or the system, and continues to the requested page. */
export const LoginPage = ({
  options,
  next,
  firstStep,
  notice,
}: {
  options: SignInOptions
  next: string
  firstStep: Step
  /** Why the person is here, when there is something to say. */
  notice: string | null
}) => {
  const [step, setStep] = useState(firstStep)
  // A full load, so that nothing of another user's pages remains.
  const goOn = () => window.location.assign(next)
  const { title, sub } = titles[step]
  return (
    <div className="grid min-h-screen lg:grid-cols-[minmax(420px,1fr)_minmax(0,1.25fr)]">
      <main className="flex flex-col px-5 py-5 sm:px-10">
        <header className="flex items-center gap-2.5 font-[650] text-lead">
          <Logo />
          Sliceboard
          <span className="ml-auto">
            <ThemeSwitch />
          </span>
        </header>
        <div className="mx-auto flex w-full max-w-[340px] flex-1 flex-col justify-center py-10">
          <h1 className="m-0 font-[650] text-[22px] leading-tight tracking-[-0.02em]">{title}</h1>
          <p className="mt-1 mb-5 text-ink2">
            {step === 'sign-in' && options.clouds.length === 1
              ? `Use your account of ${options.clouds[0]?.name}.`
              : sub}
          </p>
          {notice === null || step !== 'sign-in' ? null : (
            <p role="status" className="mb-4 rounded-control bg-warn2 px-3 py-2 text-ink">
              {notice}
            </p>
          )}
          {step === 'sign-in' ? (
            <SignInForm
              options={options}
              next={next}
              onSignedIn={(isScoped) => (isScoped ? goOn() : setStep('choose'))}
            />
          ) : (
            <>
              <ChooseScopeStep onChosen={goOn} />
              <div className="mt-4 border-line border-t pt-3">
                <OtherAccountButton />
              </div>
            </>
          )}
        </div>
        <p className="text-ink3 text-small">Keystone verifies the password. Sliceboard stores no accounts.</p>
      </main>
      <SlicedCards />
    </div>
  )
}
