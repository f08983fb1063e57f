'use client'

import { useState } from 'react'
import { Logo } from '@/components/shell/logo'
import { ThemeSwitch } from '@/components/shell/theme-switch'
import type { SignInOptions } from '@/lib/schemas/api/session'
import { ChooseScopeStep, OtherAccountButton } from './choose-scope-step'
import { SignInForm } from './sign-in-form'
import { SlicedCards } from './sliced-cards'

type Step = 'sign-in' | 'choose'

const titles: Record<Step, { title: string; sub: string }> = {
  'sign-in': { title: 'Sign in', sub: 'With your account of the cloud.' },
  choose: { title: 'Where do you want to work?', sub: 'Your roles there decide what you see.' },
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
              ? `With your account of ${options.clouds[0]?.name}.`
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
        <p className="text-ink3 text-small">
          Keystone checks the password. Sliceboard keeps no accounts of its own.
        </p>
      </main>
      <SlicedCards />
    </div>
  )
}
