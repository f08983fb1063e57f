'use client'

import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { flushSync } from 'react-dom'
import { useForm } from 'react-hook-form'
import { Button } from '@/components/ui/button'
import { described, Field, Input, Select } from '@/components/ui/input'
import { ApiError, invalidFields } from '@/lib/api/client'
import { signInOptions } from '@/lib/api/session'
import { SIGN_IN_LENGTHS, type SignInOptions } from '@/lib/schemas/api/session'
import type { SignInInput } from '@/lib/schemas/api/session-inputs'
import { apiPaths } from '@/lib/util/paths'

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

const isField = (name: string | null): name is FieldName => fields.some((field) => field === name)

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
export const SignInForm = ({
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
        const fields = err instanceof ApiError ? invalidFields(err) : []
        for (const each of fields.toReversed())
          if (isField(each.field)) form.setError(each.field, { message: each.message }, { shouldFocus: true })
        if (!isField(field)) form.setError('root', { message: err.message })
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
