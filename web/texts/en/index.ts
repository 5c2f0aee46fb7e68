// The whole English catalogue, by its areas. Screens import the area that they use; this is for what checks all of them.
export * as install from './install.ts'
export * as page from './page.ts'
export * as passwords from './passwords.ts'
export * as profile from './profile.ts'
export * as providers from './providers.ts'
export * as session from './session.ts'
