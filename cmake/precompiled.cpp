// Empty. Its target owns the precompiled headers that other targets reuse.
