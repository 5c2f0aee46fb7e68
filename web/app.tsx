/** The whole app: settings first, then the installation or the routes; toasts above all. */
import { Routes } from './routes.tsx'
import { SettingsGate } from './system/settings-gate.tsx'
import { Toaster } from './ui/toaster.tsx'

export function App() {
  return (
    <>
      <SettingsGate>
        <Routes />
      </SettingsGate>
      <Toaster />
    </>
  )
}
