// SPDX-License-Identifier: Apache-2.0

@_exported import ECS
@_exported import LibraryImport
@_exported import ManagedObjects
